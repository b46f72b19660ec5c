// All tests in a real browser in one process: they share the browser and the page.
import "./browser.test.mjs";
import "./analyses.test.mjs";
import "./vehicle.test.mjs";
import "./train.test.mjs";
import "./flexible.test.mjs";
