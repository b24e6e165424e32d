import { sql } from 'kysely'
import { agreementSelection } from '../leases/queries'
import { toSelection } from '../domain/columns'
import { exportedBooks } from './export-books'
import * as columns from './export-columns'
import { listById, type ListsOf, type ShortList } from './export-pages'
import { createRecordKind, readRecord, writeRecord, type Source } from './export-records'

type ExportedAgreement = columns.ExportedAgreement
type Fields = Omit<ExportedAgreement, keyof typeof lists>

const fields: ShortList<Fields> = {
  rows: (db, { agreementId }) =>
    db.selectFrom('agreements as a').where('a.id', '=', agreementId).select(agreementSelection),
}

const lists = {
  signatures: listById(
    db => db.selectFrom('agreement_signatures as s'),
    's.id',
    columns.signatureColumns,
    ({ userId, agreementId }) =>
      sql`select id from agreement_signatures where agreement_id = ${agreementId} and signer_id = ${userId}`,
  ),
  documents: listById(
    db => db.selectFrom('signed_documents as d'),
    'd.id',
    columns.documentColumns,
    ({ agreementId }) => sql`select id from signed_documents where agreement_id = ${agreementId}`,
  ),
  timeline: {
    start: 0,
    keys: ({ agreementId }) => sql`select position from agreement_events where agreement_id = ${agreementId}`,
    isIndexed: true,
    row: (db, { agreementId }, position) =>
      db
        .selectFrom('agreement_events as v')
        .where('v.agreement_id', '=', agreementId)
        .where('v.position', '=', position)
        .select(toSelection(columns.eventColumns)),
  },
  ...exportedBooks,
} satisfies Partial<ListsOf<ExportedAgreement>>

const agreementKind = createRecordKind(fields, lists)

/** Writes the agreements with the ids of a page. */
export function* writeAgreements(source: Source, rows: string) {
  const ids = JSON.parse(`[${rows}]`) as { id: number }[]
  for (const { id } of ids) yield writeAgreement(source, id)
}

async function* writeAgreement(source: Source, agreementId: number) {
  const given = { agreementId }
  yield* writeRecord(source, agreementKind, given, await readRecord(source, agreementKind, given))
}
