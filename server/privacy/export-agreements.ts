import { sql } from 'kysely'
import { agreementSelection } from '../agreements/queries'
import { toSelection } from '../domain/columns'
import { exportedBooks } from './export-books'
import * as columns from './export-columns'
import type { ListsOf, ShortList } from './export-pages'
import { createRecordKind, readRecord, writeRecord, type Source } from './export-records'

type ExportedAgreement = columns.ExportedAgreement
type Fields = Omit<ExportedAgreement, keyof typeof lists>

const fields: ShortList<Fields> = {
  rows: (db, { agreementId }) =>
    db.selectFrom('agreements as a').where('a.id', '=', agreementId).select(agreementSelection),
}

const lists = {
  signatures: {
    start: 0,
    keys: ({ userId, agreementId }) =>
      sql`select id from agreement_signatures where agreement_id = ${agreementId} and signer_id = ${userId}`,
    row: (db, _, id) =>
      db
        .selectFrom('agreement_signatures as s')
        .where('s.id', '=', id)
        .select(toSelection(columns.signatureColumns)),
  },
  documents: {
    start: 0,
    keys: ({ agreementId }) => sql`select id from signed_documents where agreement_id = ${agreementId}`,
    row: (db, _, id) =>
      db
        .selectFrom('signed_documents as d')
        .where('d.id', '=', id)
        .select(toSelection(columns.documentColumns)),
  },
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
