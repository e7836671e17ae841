// PostgreSQL for journeys: a temporary server that ends with this process, or the server in GEOTRAWL_TEST_POSTGRES, as
// in the Rust tests.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const keeper = new URL('../../crates/geotrawl-testkit/src/postgres/keep-server.sh', import.meta.url);
const given = process.env.GEOTRAWL_TEST_POSTGRES;

/** Whether journeys use PostgreSQL instead of the embedded store. */
export const usesPostgres = process.env.GEOTRAWL_JOURNEY_STORE === 'postgres';

/** Returns why a journey is skipped if a tool is missing; throws unless GEOTRAWL_ALLOW_SKIPS=1. */
export function skipOrFail(tool, install) {
  if (process.env.GEOTRAWL_ALLOW_SKIPS === '1') return `no ${tool} on this machine`;
  throw new Error(`journeys need ${tool}: ${install}, or set GEOTRAWL_ALLOW_SKIPS=1 to skip tests whose tools are missing`);
}

/** Returns why journeys on PostgreSQL are skipped, or false. */
export function missingDatabase() {
  if (!usesPostgres || given || programs()) return false;
  return skipOrFail('PostgreSQL with PostGIS', 'run `make database`, or name a server with GEOTRAWL_TEST_POSTGRES=postgres://…');
}

/** Finds the folder of the PostgreSQL programs, or returns null. */
function programs() {
  if (process.env.GEOTRAWL_PG_BIN) return process.env.GEOTRAWL_PG_BIN;
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).filter((name) => existsSync(join(home, name, 'bin', 'initdb'))) : [];
  versions.sort((one, other) => Number(one) - Number(other));
  if (versions.length) return join(home, versions.at(-1), 'bin');
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.trim() : null;
}

/** Starts a database on a port. The short lease time in its URL frees the hosts of a killed server quickly. */
export async function startDatabase(port) {
  const loans = (url) => {
    url.searchParams.set('loan', '4');
    return url.href;
  };
  if (given) {
    const url = new URL(given);
    const schema = `journey_${process.pid}`;
    const stop = async () => {
      const dropped = spawnSync('psql', ['-q', '-d', given, '-c', `DROP SCHEMA IF EXISTS ${schema} CASCADE`]);
      if (dropped.status !== 0) console.error(`the schema ${schema} is left behind: psql could not remove it`);
    };
    url.searchParams.set('schema', schema);
    return { url: loans(url), stop };
  }
  const habits = '-c fsync=off -c synchronous_commit=off -c full_page_writes=off';
  const OPTIONS = `-p ${port} -c listen_addresses=127.0.0.1 -c shared_buffers=64MB ${habits}`;
  // PostgreSQL refuses to run as root, and another user may not be able to read our files.
  const shell = ['sh', '-c', readFileSync(keeper, 'utf8')];
  const [program, ...args] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...shell] : shell;
  const child = spawn(program, args, { cwd: '/', env: { ...process.env, BIN: programs(), OPTIONS }, stdio: ['pipe', 'pipe', 'inherit'] });
  const said = await new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject).once('exit', () => resolve(text));
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      if (text.includes('\n')) resolve(text);
    });
  });
  if (!said.startsWith('ready ')) throw new Error(`the database did not start: ${said}`);
  const stop = () => new Promise((resolve) => {
    child.once('exit', resolve);
    child.stdin.end();
  });
  return { url: loans(new URL(`postgres://postgres@127.0.0.1:${port}/postgres`)), stop };
}
