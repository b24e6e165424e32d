import { readPdfText } from './pdf'
import type { TestServer } from './server'
import type { TestUser } from './users'

/** Downloads the certificate of an agreement and reads its text, in one line. */
export async function readCertificate(
  server: Pick<TestServer, 'url'>,
  reader: TestUser,
  agreementId: number,
) {
  const response = await fetch(`${server.url}/agreements/${agreementId}/certificate`, {
    headers: { authorization: `Bearer ${reader.token}` },
  })
  if (response.status !== 200) return { status: response.status, headers: response.headers, text: '' }
  return { status: 200, headers: response.headers, text: await readPdfText(await response.bytes()) }
}
