import { expect, test } from 'bun:test'
import { DumpReader } from '../../db/backup/reader'

/** Rows as COPY writes them: a backslash is doubled, so a row may look like the marker. */
const ROWS = '1\t\\\\.\n2\tplain\n'
const DUMP = Buffer.from(`COPY\n${ROWS}\\.\n-- {"rows":2}\n`)

async function* splitInto(bytes: number) {
  for (let start = 0; start < DUMP.length; start += bytes) yield DUMP.subarray(start, start + bytes)
}

test('rows end at their marker, however the dump is split into chunks', async () => {
  for (let bytes = 1; bytes <= DUMP.length; bytes++) {
    const reader = new DumpReader(splitInto(bytes))
    expect(await reader.readLine()).toBe('COPY')
    const rows = await Array.fromAsync(reader.readRows())
    expect([bytes, Buffer.concat(rows).toString()]).toEqual([bytes, ROWS])
    expect(await reader.readJson<object>()).toEqual({ rows: 2 })
    await reader.requireEnd()
  }
})
