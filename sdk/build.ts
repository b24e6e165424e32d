import { $, Glob } from 'bun'
import { printTypes } from './print.ts'

// Builds the package. `#types` is the contract in this workspace, and the printed types in the package.

const FORMATS = ['esm', 'cjs']

process.chdir(import.meta.dirname)
await $`rm -rf dist`
for (const format of FORMATS) await Bun.write(`dist/${format}/types.d.ts`, printTypes())
await $`tsc && tsc -p tsconfig.cjs.json`
await Bun.write('dist/cjs/package.json', '{"type":"commonjs"}')

for (const file of new Glob('dist/*/*.d.ts').scanSync()) {
  const declarations = await Bun.file(file).text()
  await Bun.write(file, declarations.replaceAll(/(['"])#types\1/g, "'./types.js'"))
}
