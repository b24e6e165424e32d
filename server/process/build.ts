import { join } from 'node:path'

const folder = join(import.meta.dir, '..')

/** Builds the server as one program, which needs a PostgreSQL but neither Bun nor packages. */
const built = await Bun.build({
  entrypoints: [join(folder, 'index.ts')],
  conditions: ['@kiraya/source'],
  // A program must not run what a bunfig.toml or .env in the current folder says.
  compile: {
    outfile: join(folder, 'dist/kiraya-server'),
    autoloadBunfig: false,
    autoloadDotenv: false,
  },
})
console.log(built.outputs[0]!.path)
