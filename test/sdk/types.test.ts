import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { compilePrograms } from './compile'

const sdk = join(import.meta.dir, '../../sdk')
const GLOBALS = `
declare global {
  type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
  /** The same type without names, as one object each. An optional field may also be undefined. */
  type Plain<T> = T extends object ? { [K in keyof T]: Plain<Exclude<T[K], undefined>> } : T
}
export {}
`

async function listTypesOfContract() {
  const names: string[] = []
  for (const file of new Glob('*.ts').scanSync(join(sdk, 'contract'))) {
    const source = await Bun.file(join(sdk, 'contract', file)).text()
    names.push(...[...source.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name!))
  }
  return names.toSorted()
}

const toCheck = (name: string) => `
  import type { ${name} as Documented } from '@kiraya/sdk'
  import type { ${name} as Contract } from '@kiraya/sdk/contract'
  export const isSame: IsSame<Plain<Documented>, Plain<Contract>> = true
`

test('every type of the contract has a documented one in the SDK with the same fields', async () => {
  const names = await listTypesOfContract()
  expect(names.length).toBeGreaterThan(50)
  const programs = Object.fromEntries(names.map(name => [name, toCheck(name)]))
  expect(await compilePrograms(programs, GLOBALS)).toBe('')
})

test('a field that is missing, of another type or optional is found', async () => {
  const toProgram = (documented: string) => `
    export const isSame: IsSame<Plain<${documented}>, Plain<{ id: number; name?: string }>> = true
  `
  const complaints = await compilePrograms(
    {
      same: toProgram('{ id: number; name?: string }'),
      missing: toProgram('{ id: number }'),
      other: toProgram('{ id: string; name?: string }'),
      required: toProgram('{ id: number; name: string }'),
    },
    GLOBALS,
  )
  expect(complaints.split('\n').map(line => line.split('.')[0])).toEqual(['missing', 'other', 'required'])
})

test('every field of a type is documented', async () => {
  const undocumented: string[] = []
  for (const file of new Glob('{types/*,options,call,pagination,client,webhooks}.ts').scanSync(sdk)) {
    const source = await Bun.file(join(sdk, file)).text()
    for (const [, name, body] of source.matchAll(/^export interface (\w+)[^]*?\{\n([^]*?)^\}/gm)) {
      const lines = body!.split('\n')
      const fields = lines.flatMap((line, index) => (/^  (readonly )?\w+[?(:]/.test(line) ? [index] : []))
      for (const index of fields)
        if (!lines[index - 1]!.trim().endsWith('*/')) undocumented.push(`${name}: ${lines[index]}`)
    }
  }
  expect(undocumented).toEqual([])
})
