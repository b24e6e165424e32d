import { chmod, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { $ } from 'bun'
import manifest from './package.json'

// Builds the package that is published, one program for Node with everything it needs, and a program that needs no
// Node. In the workspace the command runs from its sources, so the package has its own manifest.

/** Checks the version of Node, then imports the bundle. */
const PROGRAM = 'kiraya.js'
const BUNDLE = 'main.js'
const sources = import.meta.dir
const folder = join(sources, 'dist')

const input = { entrypoints: [join(sources, 'index.ts')], conditions: ['@kiraya/source'] }

await rm(folder, { recursive: true, force: true })
await Bun.build({ ...input, outdir: folder, naming: BUNDLE, target: 'node', sourcemap: 'linked' })
const program = join(folder, PROGRAM)
await cp(join(sources, 'launcher.js'), program)
await chmod(program, 0o755)
const { name, version, description, license, engines, type } = manifest
const published = { name, version, description, license, engines, type, bin: { kiraya: PROGRAM } }
await Bun.write(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
await cp(join(sources, 'README.md'), join(folder, 'README.md'))
await cp(join(sources, 'LICENSE'), join(folder, 'LICENSE'))
await $`npm pack --silent --pack-destination ${folder} ${folder}`
// A program must not run what a bunfig.toml or .env in the current folder says.
const compile = { outfile: join(folder, 'kiraya'), autoloadBunfig: false, autoloadDotenv: false }
await Bun.build({ ...input, compile })
