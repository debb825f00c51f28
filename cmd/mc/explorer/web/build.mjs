// Builds dist/ out of src/: npm ci && npm run build. The first line of each file
// says of which sources it was built, and a test in Go compares that.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const sources = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json", ...readdirSync("src").map((f) => "src/" + f)].sort();
const hash = createHash("sha256");
for (const name of sources) hash.update(name + "\0").update(readFileSync(name)).update("\0");
const stamp = `/* sources ${hash.digest("hex")} */\n`;

const result = await build({
  entryPoints: { app: "src/main.tsx", style: "src/style.css" },
  outdir: "dist",
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
});
for (const file of result.outputFiles) {
  const name = "dist/" + file.path.split("/").pop();
  const text = stamp + file.text;
  if (process.argv.includes("--check")) {
    if (readFileSync(name, "utf8") !== text) throw new Error(name + " is not what the sources build: run npm run build");
  } else writeFileSync(name, text);
}
