import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { PersonalData } from '@kiraya/sdk/contract'
import { getRequestContext, withQueryDeadline } from '../../db/deadlines'
import type { Deps } from '../deps'
import { toSelection } from '../domain/columns'
import { hashPhone } from '../domain/phone-hash'
import type { Reader } from '../http/reads/reader'
import { RawJsonStream } from '../http/reads/raw-json'
import { accountColumns } from './export-columns'
import { exportedLists } from './export-lists'
import type { ShortList } from './export-pages'
import { createRecordKind, readRecord, writeRecord, type Source } from './export-records'
import { MAX_QUERY_MS } from './ownership'

const fields: ShortList<Pick<PersonalData, 'exported_at' | 'user'>> = {
  rows: (db, { userId, exportedAt }) => {
    const account = db.selectFrom('users as u').where('u.id', '=', userId).select(toSelection(accountColumns))
    return db.selectNoFrom([exportedAt.as('exported_at'), jsonObjectFrom(account).$notNull().as('user')])
  },
}

const accountKind = createRecordKind(fields, exportedLists)

/**
 * Exports all stored data about the user of a session, as raw JSON that is read in pages while it is sent. Each record is
 * as it was at one moment; one that changes meanwhile may be in it before or after the change.
 */
export async function exportPersonalData(deps: Deps, reader: Reader) {
  const source = createSource(deps, reader)
  const given = { phoneHash: hashPhone(deps.config, reader.phone), exportedAt: deps.now().toISOString() }
  const pages = await readRecord(source, accountKind, given)
  deps.log.audit('data_exported', { user: reader.userId })
  return new RawJsonStream<PersonalData>(writeRecord(source, accountKind, given, pages))
}

/** Each statement checks the session, waits for its turn, and has a time of its own; between them nothing is held. */
function createSource(deps: Deps, reader: Reader): Source {
  const context = getRequestContext()
  return {
    phone: reader.phone,
    read: (query, given, after) =>
      deps.runExport(reader.userId, () =>
        withQueryDeadline({ ...context, leftMs: MAX_QUERY_MS }, () =>
          reader.rows(query, { ...given, after }),
        ),
      ),
  }
}
