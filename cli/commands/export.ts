import type { Context } from '../runtime/context'
import { createVerb, type Verbs } from '../runtime/verbs'
import { savePrivateFile } from '../output/files'
import { loadOwnProperties } from '../sheets/own-properties'
import { toCells } from '../sheets/property-sheet'

export const verbs: Verbs = {
  properties: createVerb(
    {
      summary: 'Your properties and units, in the form that `kiraya import properties` reads',
      addFlags: command =>
        command.option('--file <path>', 'write to this file; - is standard output, as without it'),
      examples: ['kiraya export properties --file houses.csv'],
    },
    exportProperties,
  ),
}

async function exportProperties(context: Context, _: unknown, { file }: { file?: string }) {
  const properties = await loadOwnProperties(await context.client())
  const { stringify } = await import('csv-stringify/sync')
  // Excel takes a file without a byte order mark for one of its own encoding.
  const csv = stringify(toCells(properties), { bom: true })
  if (!file || file === '-') return context.terminal.out(csv.trimEnd())
  await savePrivateFile(context, file, csv)
}
