import { expect, test } from 'bun:test'
import { signWebhook } from '../../../../server/providers/signing/setu/signature'
import { createRecordedProvider, WEBHOOK_SECRET } from '../../../support/recorded-provider'

const SECOND_SECRET = 'the second webhook secret, just as long'

test.each(['flexi', 'native'])(
  '%s: while the secret is rotated, webhooks of both are valid',
  ESIGN_PROTOCOL => {
    const rotating = { ESIGN_PROTOCOL, ESIGN_WEBHOOK_SECRET_SECONDARY: SECOND_SECRET }
    const [before, during] = [{ ESIGN_PROTOCOL }, rotating].map(
      env => createRecordedProvider(env).replay().signing,
    )
    const isValid = (secret: string) =>
      [before!, during!].map(({ verifyWebhook }) => verifyWebhook('{}', signWebhook('{}', secret)))

    expect(isValid(WEBHOOK_SECRET)).toEqual([true, true])
    expect(isValid(SECOND_SECRET)).toEqual([false, true])
    expect(isValid('another secret')).toEqual([false, false])
  },
)
