#include <mujoco/mujoco.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "peer_mujoco.h"

namespace skyhook::bench {
namespace {

using Joint = WorkloadBody::Joint;

class XmlWriter {
 public:
  explicit XmlWriter(const Workload& w) : workload_(w), children_(w.bodies.size()) {
    for (int i = 0; i < w.size(); ++i) (w.bodies[i].parent < 0 ? roots_ : children_[w.bodies[i].parent]).push_back(i);
  }
  std::string text() {
    text_ = "<mujoco><option gravity='0 0 " + std::to_string(gravity_z) +
            "'><flag contact='disable' constraint='disable'/></option><worldbody>";
    for (const int root : roots_) add(root);
    return text_ + "</worldbody></mujoco>";
  }

 private:
  void add(int i) {
    const WorkloadBody& b = workload_.bodies[i];
    char line[512];
    std::snprintf(line, sizeof line,
                  "<body name='%d' pos='%.17g %.17g %.17g'><inertial pos='0 0 %.17g' mass='%.17g' diaginertia='%.17g "
                  "%.17g %.17g'/>",
                  i, b.at[0], b.at[1], b.at[2], com_z, mass, inertia[0], inertia[1], inertia[2]);
    text_ += line;
    const char* const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    text_ += b.joint == Joint::free
                 ? "<freejoint/>"
                 : std::string("<joint type='hinge' axis='") + axes[static_cast<int>(b.joint)] + "'/>";
    for (const int child : children_[i]) add(child);
    text_ += "</body>";
  }

  const Workload& workload_;
  std::vector<std::vector<int>> children_;
  std::vector<int> roots_;
  std::string text_;
};

mjModel* load(const Workload& w) {
  const auto path = std::filesystem::temp_directory_path() / ("skyhook_bench_" + std::to_string(getpid()) + ".xml");
  std::ofstream(path) << XmlWriter(w).text();
  char error[1000] = "";
  mjModel* model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  std::filesystem::remove(path);
  return model;
}

// A free joint has our convention, but its position is global. Bodies are renumbered depth first: found by name.
class MujocoTree : public TreeSimulator {
 public:
  MujocoTree(const Workload& w, mjModel* model)
      : model_(model), data_(mj_makeData(model)), forces_(model->nv), load_(model->nv) {
    const double *q = w.q.data(), *v = w.v.data(), *a = w.a.data();
    for (int i = 0; i < w.size(); ++i) {
      const WorkloadBody& b = w.bodies[i];
      const int body = mj_name2id(model, mjOBJ_BODY, std::to_string(i).c_str());
      const int iq = model->jnt_qposadr[model->body_jntadr[body]], iv = model->body_dofadr[body];
      for (int k = 0; k < b.nq(); ++k) data_->qpos[iq + k] = q[k] + (b.joint == Joint::free && k < 3 ? b.at[k] : 0.0);
      for (int k = 0; k < b.nv(); ++k) data_->qvel[iv + k] = v[k], data_->qacc[iv + k] = a[k], order_.push_back(iv + k);
      q += b.nq(), v += b.nv(), a += b.nv();
    }
  }
  ~MujocoTree() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoTree(const MujocoTree&) = delete;
  MujocoTree& operator=(const MujocoTree&) = delete;

  void residual() override {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_comVel(model_, data_);
    mj_rne(model_, data_, 1, forces_.data());
  }
  // What mj_forward() needs of its stages when nothing but gravity acts.
  void forward() override {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_crb(model_, data_);
    mj_factorM(model_, data_);
    mj_comVel(model_, data_);
    mj_rne(model_, data_, 0, data_->qfrc_bias);
    for (int i = 0; i < model_->nv; ++i) load_[i] = -data_->qfrc_bias[i];
    mj_solveM(model_, data_, data_->qacc_smooth, load_.data(), 1);
  }
  std::vector<double> residual_forces() override { return ordered(forces_.data()); }
  std::vector<double> accelerations() override { return ordered(data_->qacc_smooth); }

 private:
  std::vector<double> ordered(const double* x) const {
    std::vector<double> out;
    for (const int k : order_) out.push_back(x[k]);
    return out;
  }

  mjModel* model_;
  mjData* data_;
  std::vector<double> forces_, load_;
  std::vector<int> order_;
};

}  // namespace

std::unique_ptr<TreeSimulator> mujoco_tree(const Workload& workload) {
  mjModel* const model = load(workload);
  return model ? std::make_unique<MujocoTree>(workload, model) : nullptr;
}

const char* mujoco_version() { return mj_versionString(); }

}  // namespace skyhook::bench
