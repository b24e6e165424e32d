import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCA, createCert } from 'mkcert'

/** A certificate for 127.0.0.1. A process trusts it whose `NODE_EXTRA_CA_CERTS` is `authorityFile`. */
export async function createCertificate() {
  const ca = await createCA({
    organization: 'Kiraya tests',
    countryCode: 'IN',
    state: 'Karnataka',
    locality: 'Bengaluru',
    validity: 1,
  })
  const { key, cert } = await createCert({ ca, domains: ['127.0.0.1'], validity: 1 })
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-certificate-'))
  const authorityFile = join(folder, 'authority.pem')
  await Bun.write(authorityFile, ca.cert)
  return { tls: { key, cert }, authorityFile, remove: () => rm(folder, { recursive: true }) }
}
