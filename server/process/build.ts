import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(import.meta.dir, '..')

/** Builds the server as one program, which needs a PostgreSQL but neither Bun nor packages. */
const built = await Bun.build({
  // HarfBuzz looks for its WebAssembly beside the program, under this name.
  entrypoints: [
    join(folder, 'index.ts'),
    fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz.wasm')),
  ],
  naming: { asset: '[name].[ext]' },
  conditions: ['@kiraya/source'],
  // A program must not run what a bunfig.toml or .env in the current folder says.
  compile: {
    outfile: join(folder, 'dist/kiraya-server'),
    autoloadBunfig: false,
    autoloadDotenv: false,
  },
})
console.log(built.outputs[0]!.path)
