import { test } from 'bun:test'
import { join } from 'node:path'
import { renderCertificate } from '../../../server/agreements/certificate-pdf'
import { expectDrawn } from '../../support/pdf-transcript'
import { createCertificateData } from './certificate-fixture'

test('a certificate has its texts in their places', async () => {
  const bytes = await renderCertificate(createCertificateData())
  await expectDrawn(bytes, join(import.meta.dir, 'certificate.txt'))
})
