import { AnnualBooksQuery, yearlySums } from '@kiraya/sdk/contract/books'
import { PaymentRow } from '@kiraya/sdk/contract/imports'
import type { Kiraya } from '@kiraya/sdk'
import { toFieldFlags } from '../input/flags'
import { readQuery } from '../input/values'
import { savePrivateFile } from '../output/files'
import type { Context } from '../runtime/context'
import { createVerb, type Verbs } from '../runtime/verbs'
import { toTable } from '../sheets/cells'
import { toLeaseCells } from '../sheets/export-leases'
import { listCharges, listPayments, listPeople, loadOwnLeases, loadOwnProperties } from '../sheets/own-leases'
import { toCells } from '../sheets/property-sheet'

const yearFields = toFieldFlags(AnnualBooksQuery)

export const verbs: Verbs = {
  properties: createExport(
    'properties',
    'Your properties and units, in the form that an import reads',
    async client => toCells(await loadOwnProperties(client)),
  ),
  leases: createExport(
    'leases',
    'Your leases that have not ended, in the form that an import reads, with what is owed and held now',
    async (client, { printNote }) => {
      const { cells, left } = await toLeaseCells(client)
      if (left > 0) printNote(`Left out: ${left} leases that have ended`)
      return cells
    },
  ),
  payments: createExport(
    'payments',
    'The posted payments for your leases, in the form that an import reads',
    toPaymentCells,
  ),
  charges: createExport('charges', 'What is owed and was paid under your leases', toChargeCells),
  books: createExport(
    'books',
    'What each unit brought in from April to March',
    async (client, context, flags) => {
      const { rows } = await client.books.annual(
        await readQuery<AnnualBooksQuery>(context, yearFields, flags),
      )
      return toTable(['property_name', 'unit_name', ...Object.keys(yearlySums)], rows)
    },
    yearFields,
  ),
}

type Flags = { file?: string }
type ToCells = (client: Kiraya, context: Context, flags: Flags) => Promise<string[][]>

function createExport(noun: string, summary: string, toCells: ToCells, fields = {}) {
  return createVerb(
    {
      summary,
      fields,
      addFlags: command =>
        command.option('--file <path>', 'write to this file; - is standard output, as without it'),
      examples: [`kiraya export ${noun} --file ${noun}.csv`],
    },
    async (context, _, flags: Flags) => {
      const cells = await toCells(await context.client(), context, flags)
      const { stringify } = await import('csv-stringify/sync')
      // Excel takes a file without a byte order mark for one of its own encoding.
      const csv = stringify(cells, { bom: true })
      const { file } = flags
      if (!file || file === '-') return context.terminal.out(csv.trimEnd())
      await savePrivateFile(context, file, csv)
    },
  )
}

/** What came in: neither what moved from another lease, nor what an opening has. */
async function toPaymentCells(client: Kiraya) {
  const [own, payments, people] = await Promise.all([
    loadOwnLeases(client),
    listPayments(client),
    listPeople(client),
  ])
  const leases = new Map(own.map(({ lease }) => [lease.id, lease.external_ref ?? lease.agreement_id]))
  const phones = new Map(people.map(({ id, phone }) => [id, phone]))
  const posted = payments.filter(
    ({ agreement_id, status, source }) =>
      leases.has(agreement_id) && status === 'posted' && source === 'manual',
  )
  const rows = posted.map(payment => ({
    ...payment,
    external_ref: payment.payment_id,
    lease: leases.get(payment.agreement_id),
    payer_phone: phones.get(payment.payer_id),
  }))
  return toTable(Object.keys(PaymentRow.properties), rows)
}

async function toChargeCells(client: Kiraya) {
  const [own, charges] = await Promise.all([loadOwnLeases(client), listCharges(client)])
  const leases = new Map(
    own.map(({ lease: { id, external_ref, agreement_number }, unit: { unit_name }, property }) => [
      id,
      { property: property.alias_name, unit_name, lease: external_ref ?? agreement_number },
    ]),
  )
  const rows = charges
    .filter(({ agreement_id }) => leases.has(agreement_id))
    .map(charge => ({ ...charge, ...leases.get(charge.agreement_id) }))
  const due = ['type', 'description', 'period_start', 'period_end', 'due_date']
  const sums = ['amount', 'amount_paid', 'amount_credited', 'amount_outstanding', 'status']
  return toTable(['property', 'unit_name', 'lease', ...due, ...sums], rows)
}
