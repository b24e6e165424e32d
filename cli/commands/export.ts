import pLimit from 'p-limit'
import type { Context } from '../runtime/context'
import { createVerb, type Verbs } from '../runtime/verbs'
import { savePrivateFile } from '../output/files'
import { listProperties } from '../csv/import-properties'
import { toCells } from '../csv/property-file'

const REQUESTS_AT_ONCE = 4

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
  const client = await context.client()
  const { user } = await client.auth.me()
  const list = await listProperties(client)
  const properties = await pLimit(REQUESTS_AT_ONCE).map(list, ({ id }) => client.properties.get(id))
  const own = properties.map(property => ({
    ...property,
    // Units that the user manages belong to others.
    property_units: property.property_units
      .filter(({ landlord_id }) => landlord_id === user.id)
      .toSorted((a, b) => a.id - b.id),
  }))

  const { stringify } = await import('csv-stringify/sync')
  // Excel takes a file without a byte order mark for one of its own encoding.
  const csv = stringify(toCells(own), { bom: true })
  if (!file || file === '-') return context.terminal.out(csv.trimEnd())
  await savePrivateFile(context, file, csv)
}
