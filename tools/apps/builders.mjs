// One function per builder: reads sources in `work`, writes the finished application to `out`. Returns the markup that
// loads its scripts.

import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import esbuild from "esbuild";
import obfuscator from "javascript-obfuscator";
import { minify } from "terser";
import { build as viteBuild } from "vite";
import webpack from "webpack";

const classic = name => `<script src="${name}"></script>`;
const asModule = name => `<script type="module" src="${name}"></script>`;

async function exists(file) {
  return (await readdir(path.dirname(file)).catch(() => [])).includes(path.basename(file));
}

/** Copies files that are served unchanged. */
async function copyPublic({ work, out }) {
  if (await exists(path.join(work, "public"))) await cp(path.join(work, "public"), out, { recursive: true });
}

async function entryOf(work) {
  return (await exists(path.join(work, "main.ts"))) ? "main.ts" : "main.js";
}

async function withEsbuild(app, options, tag) {
  const result = await esbuild.build({
    absWorkingDir: app.work,
    entryPoints: [await entryOf(app.work)],
    outdir: app.out,
    bundle: true,
    minify: true,
    legalComments: "none",
    metafile: true,
    target: "es2020",
    logLevel: "error",
    sourcemap: app.sourceMap === "inline" ? "inline" : app.sourceMap ? "linked" : false,
    external: ["http://*"],
    define: { "process.env.NODE_ENV": '"production"' },
    ...options,
  });
  await copyPublic(app);
  const entry = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint)[0];
  return tag(path.relative(app.out, path.resolve(app.work, entry)));
}

async function withWebpack(app, options) {
  const compiler = webpack({
    mode: "production",
    context: app.work,
    entry: { app: `./${await entryOf(app.work)}` },
    output: { path: app.out, filename: "static/js/[name].[contenthash:8].js", chunkFilename: "static/js/[id].[contenthash:8].js", publicPath: "auto" },
    optimization: { splitChunks: { chunks: "all" }, runtimeChunk: "single" },
    performance: false,
    devtool: app.sourceMap ? "source-map" : false,
    ...options,
  });
  const stats = await new Promise((done, fail) => compiler.run((error, stats) => (error ? fail(error) : done(stats))));
  await new Promise(done => compiler.close(done));
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  await copyPublic(app);
  const files = stats.toJson({ all: false, entrypoints: true }).entrypoints.app.assets.map(asset => asset.name);
  return files.filter(name => name.endsWith(".js")).map(name => `<script defer src="${name}"></script>`).join("\n");
}

async function withVite(app) {
  await writeFile(path.join(app.work, "index.html"), app.page(asModule(`./${await entryOf(app.work)}`)));
  await viteBuild({
    configFile: false,
    root: app.work,
    base: app.base,
    logLevel: "error",
    build: { outDir: app.out, emptyOutDir: true, sourcemap: Boolean(app.sourceMap), chunkSizeWarningLimit: 10_000, reportCompressedSize: false },
  });
  return null;
}

/** Writes classic scripts one by one, each transformed by `change`. */
async function eachScript(app, change, rename) {
  await copyPublic(app);
  const tags = [];
  for (const name of app.scripts ?? ["main.js"]) {
    const target = rename(name);
    const made = await change(await readFile(path.join(app.work, name), "utf8"), target);
    await mkdir(path.dirname(path.join(app.out, target)), { recursive: true });
    await writeFile(path.join(app.out, target), made.code);
    if (made.map) await writeFile(path.join(app.out, `${target}.map`), made.map);
    tags.push(classic(target));
  }
  return tags.join("\n");
}

const minName = name => `js/${name.replace(/\.js$/, ".min.js")}`;

function withTerser(mangle) {
  return app =>
    eachScript(
      app,
      (code, target) =>
        minify({ [path.basename(target).replace(".min", "")]: code }, {
          compress: { passes: 2 },
          mangle,
          sourceMap: app.sourceMap ? { url: `${path.basename(target)}.map`, includeSources: true } : false,
        }),
      minName,
    );
}

async function plain(app) {
  await copyPublic(app);
  for (const name of await readdir(app.work)) {
    if (!["public", "app.mjs", "index.html"].includes(name)) await cp(path.join(app.work, name), path.join(app.out, name), { recursive: true });
  }
  const tag = app.modules ? asModule : classic;
  return (app.scripts ?? ["main.js"]).map(tag).join("\n");
}

function obfuscate(app) {
  return eachScript(
    app,
    (source, target) => {
      const made = obfuscator.obfuscate(source, {
        seed: 7,
        compact: true,
        identifierNamesGenerator: "hexadecimal",
        stringArray: true,
        stringArrayRotate: true,
        stringArrayShuffle: true,
        stringArrayThreshold: 1,
        stringArrayEncoding: app.stringEncoding ? [app.stringEncoding] : [],
        splitStrings: true,
        splitStringsChunkLength: 6,
        transformObjectKeys: true,
        sourceMap: Boolean(app.sourceMap),
        sourceMapSourcesMode: "sources-content",
        inputFileName: "main.js",
      });
      // The obfuscator chooses its own file name for the source map.
      const code = made.getObfuscatedCode().replace(/(sourceMappingURL=).*/, `$1${path.basename(target)}.map`);
      return { code, map: app.sourceMap ? made.getSourceMap() : null };
    },
    minName,
  );
}

export const BUILDERS = {
  esbuild: app => withEsbuild(app, { format: "iife", entryNames: "assets/[name]-[hash]" }, name => `<script defer src="${name}"></script>`),
  "esbuild-esm": app =>
    withEsbuild(app, { format: "esm", splitting: true, entryNames: "assets/[name]-[hash]", chunkNames: "assets/chunk-[hash]" }, asModule),
  "esbuild-mangled": app => withEsbuild(app, { format: "iife", entryNames: "assets/[name]-[hash]", mangleProps: /^_/ }, name => `<script defer src="${name}"></script>`),
  webpack: app => withWebpack(app, {}),
  "webpack-eval": app => withWebpack(app, { mode: "development", devtool: "eval", output: { path: app.out, filename: "[name].js", publicPath: "auto" }, optimization: {} }),
  vite: withVite,
  terser: withTerser(true),
  "terser-names": withTerser(false),
  plain,
  obfuscator: obfuscate,
};
