// Builds every application: `node build.mjs OUTDIR`. Skips applications that have not changed.

import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BUILDERS } from "./builders.mjs";
import { expand } from "./encode.mjs";
import { LIBRARIES, copyLibraries } from "./libraries.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const LIBRARY_HOST = "cdn.maplibs.example";
/** Increase when the format of apps.json changes. */
const FORMAT = 1;
const BASES = ["/", "/karte/", "/", "/maps/viewer/", "/app/"];

async function filesBelow(folder, prefix = "") {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const nested = await Promise.all(
    entries.map(entry =>
      entry.isDirectory() ? filesBelow(path.join(folder, entry.name), `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
    ),
  );
  return nested.flat();
}

async function hashOf(files, words) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${path.basename(file)}\0`).update(await readFile(file)).update("\0");
  return hash.update(JSON.stringify(words)).digest("hex");
}

const numberOf = text => createHash("sha256").update(text).digest()[0];

/** Lists every application: each source with each of its builders. */
async function catalogue() {
  const apps = [];
  for (const source of (await readdir(path.join(here, "src"))).sort()) {
    const folder = path.join(here, "src", source);
    const { default: described } = await import(pathToFileURL(path.join(folder, "app.mjs")));
    for (const build of described.builds) {
      if (!(build in BUILDERS)) throw new Error(`${source}: no way of building called ${build}`);
      const id = described.builds.length > 1 ? `${source}-${build}` : source;
      const own = JSON.parse(expand(JSON.stringify(described), id));
      apps.push({ ...own, id, source, build, folder, host: `www.${id}.example`, base: own.base ?? BASES[numberOf(id) % BASES.length] });
    }
  }
  return apps;
}

/** Returns the script elements for libraries: from the library host, or from a copy next to the application. */
function libraryTags(app) {
  const own = numberOf(`${app.id} libraries`) % 3 === 0;
  return (app.libs ?? [])
    .map(name => {
      const [file] = LIBRARIES[name.split("?")[0]];
      const query = name.includes("?") ? `?${name.split("?")[1]}` : "";
      return `<script src="${own ? `/vendor/${file}` : `http://${LIBRARY_HOST}/${file}`}${query}"></script>`;
    })
    .join("\n");
}

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{title}}</title>
<style>#map { width: 640px; height: 420px }</style>
</head>
<body>
<h1>{{title}}</h1>
<div id="map"></div>
{{libs}}
{{scripts}}
</body>
</html>
`;

async function build(app, outdir, bench) {
  const work = path.join(bench, app.id);
  // Built next to the sources, so that paths in source maps do not depend on the output directory.
  const out = path.join(bench, `${app.id}.out`);
  const target = path.join(outdir, app.id);
  for (const folder of [work, out, target]) await rm(folder, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const name of await filesBelow(app.folder)) {
    const file = path.join(work, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, expand(await readFile(path.join(app.folder, name), "utf8"), app.id));
  }
  const template = await readFile(path.join(work, "index.html"), "utf8").catch(() => PAGE);
  const page = scripts =>
    template
      .replaceAll("{{title}}", app.title)
      .replace("{{libs}}", libraryTags(app))
      .replace("{{scripts}}", () => scripts);
  const scripts = await BUILDERS[app.build]({ ...app, work, out, page });
  if (scripts !== null) await writeFile(path.join(out, "index.html"), page(scripts));
  // Scripts that refer to a source map which is not published.
  if (app.sourceMap === "absent") await Promise.all((await filesBelow(out)).filter(name => name.endsWith(".map")).map(name => rm(path.join(out, name))));
  await cp(out, target, { recursive: true });
  for (const folder of [work, out]) await rm(folder, { recursive: true, force: true });
}

/** Returns the description of an application for the simulated web. */
async function described(app, outdir) {
  return {
    id: app.id,
    title: app.title,
    source: app.source,
    build: app.build,
    library: app.library,
    techniques: app.techniques ?? [],
    level: app.level ?? null,
    host: app.host,
    base: app.base,
    services: app.services ?? [],
    endpoints: app.endpoints ?? [],
    must_not_find: app.mustNotFind ?? [],
    files: await filesBelow(path.join(outdir, app.id)),
  };
}

async function main(outdir) {
  await mkdir(outdir, { recursive: true });
  // Inside this folder, so that libraries are resolved; unique, so that two builds can run at once.
  const bench = await mkdtemp(path.join(here, ".work-"));
  await buildAll(outdir, bench).finally(() => rm(bench, { recursive: true, force: true }));
}

async function buildAll(outdir, bench) {
  const began = Date.now();
  const tools = ["build.mjs", "builders.mjs", "encode.mjs", "libraries.mjs", "package-lock.json"].map(name => path.join(here, name));
  const seen = JSON.parse(await readFile(path.join(outdir, ".hashes.json"), "utf8").catch(() => "{}"));
  const hashes = {};
  const apps = await catalogue();
  let built = 0;
  // Remove the list first, so that an interrupted build is not mistaken for a complete one.
  await rm(path.join(outdir, "apps.json"), { force: true });
  for (const app of apps) {
    const sources = (await filesBelow(app.folder)).map(name => path.join(app.folder, name));
    hashes[app.id] = await hashOf([...tools, ...sources], app.build);
    const there = await stat(path.join(outdir, app.id, "index.html")).catch(() => null);
    if (there && seen[app.id] === hashes[app.id]) continue;
    await build(app, outdir, bench).catch(async error => {
      // Keep what was built before the error, so that it need not be built again.
      delete hashes[app.id];
      await writeFile(path.join(outdir, ".hashes.json"), JSON.stringify(hashes));
      throw new Error(`${app.id}: ${error.message}`, { cause: error });
    });
    built += 1;
  }
  for (const entry of await readdir(outdir, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== "lib" && !(entry.name in hashes)) await rm(path.join(outdir, entry.name), { recursive: true });
  }
  const standins = (await filesBelow(path.join(here, "standins"))).map(name => path.join(here, "standins", name));
  hashes.lib = await hashOf([...tools, ...standins], "lib");
  if (seen.lib !== hashes.lib || !(await stat(path.join(outdir, "lib")).catch(() => null))) {
    await rm(path.join(outdir, "lib"), { recursive: true, force: true });
    await copyLibraries(path.join(outdir, "lib"));
  }
  const list = [];
  for (const app of apps) list.push(await described(app, outdir));
  const document = { format: FORMAT, library_host: LIBRARY_HOST, library_files: await filesBelow(path.join(outdir, "lib")), apps: list };
  await writeFile(path.join(outdir, "apps.json"), `${JSON.stringify(document, null, 1)}\n`);
  await writeFile(path.join(outdir, ".hashes.json"), JSON.stringify(hashes));
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${apps.length} applications in ${path.relative(process.cwd(), outdir) || "."}, ${built} built in ${seconds} s\n`);
}

const [outdir] = process.argv.slice(2);
if (!outdir) {
  process.stderr.write("usage: node build.mjs OUTDIR\n");
  process.exitCode = 2;
} else {
  await main(path.resolve(outdir)).catch(error => {
    process.stderr.write(`apps: ${error.message}\n`);
    process.exitCode = 1;
  });
}
