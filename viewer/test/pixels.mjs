// Where a point must be on the canvas, and where red is.

const minus = (a, b) => a.map((value, i) => value - b[i]);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((value) => value / Math.hypot(...a));

/** A pinhole camera, from its place, target and vertical field of view alone. */
export function project({ position, target, up, fov, width, height }, point) {
  const forward = unit(minus(target, position));
  const right = unit(cross(forward, up));
  const above = cross(right, forward);
  const ray = minus(point, position);
  const scale = height / 2 / (dot(ray, forward) * Math.tan(fov / 2));
  return { x: width / 2 + dot(ray, right) * scale, y: height / 2 - dot(ray, above) * scale };
}

/** Centre of the red pixels in a picture of the canvas as the reader sees it. */
export async function centroidOfRed(page) {
  const canvas = await page.$(".stage canvas");
  const picture = await canvas.screenshot({ encoding: "base64" });
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const copy = document.createElement("canvas");
    copy.width = image.width;
    copy.height = image.height;
    const context = copy.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: rgba } = context.getImageData(0, 0, image.width, image.height);
    let [x, y, pixels] = [0, 0, 0];
    for (let i = 0; i < rgba.length; i += 4) {
      if (rgba[i] < 70 || rgba[i] < 2 * rgba[i + 1] || rgba[i] < 2 * rgba[i + 2]) continue;
      x += (i / 4) % image.width;
      y += Math.floor(i / 4 / image.width);
      ++pixels;
    }
    return { x: x / pixels + 0.5, y: y / pixels + 0.5, pixels };
  }, picture);
}
