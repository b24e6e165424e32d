import type { StepResult } from './run-flow'

/** Returns the report that CI systems read: a suite with a case for each step. */
export async function toJunitXml(results: StepResult[]) {
  const { default: Builder } = await import('fast-xml-builder')
  const builder = new Builder({ ignoreAttributes: false, format: true, suppressEmptyNode: true })
  const count = (status: StepResult['status']) => results.filter(result => result.status === status).length
  const summary = {
    '@_name': 'kiraya smoke',
    '@_tests': results.length,
    '@_failures': count('failed'),
    '@_skipped': count('skipped'),
    '@_time': toSeconds(results.reduce((sum, { ms }) => sum + ms, 0)),
  }
  return builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    testsuites: { ...summary, testsuite: { ...summary, testcase: results.map(toCase) } },
  })
}

const toCase = ({ step, ms, reason, error }: StepResult) => ({
  '@_name': step,
  '@_classname': 'kiraya.smoke',
  '@_time': toSeconds(ms),
  ...(reason !== undefined && { skipped: { '@_message': toXmlText(reason) } }),
  ...(error && {
    failure: {
      '@_type': error.code,
      '@_message': toXmlText(error.message),
      '#text': toXmlText([error.message, error.code, error.request_id].filter(Boolean).join('\n')),
    },
  }),
})

/** XML 1.0 has no way to write most control characters. */
const toXmlText = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, ' ')

const toSeconds = (ms: number) => (ms / 1000).toFixed(3)
