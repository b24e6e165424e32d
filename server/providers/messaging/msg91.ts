import { Type } from '@sinclair/typebox'
import { unavailable } from '../../faults'
import type { ProviderClient } from '../http-client'
import { LoggableError } from '../../observability/safe-errors'
import type { Channel } from './port'

type Account = { url: string; authKey: string; templateId: string; reminderTemplateId?: string }

/** MSG91's messages by SMS. A failure may come with status 200, so its `type` decides. */
export function createMsg91(
  call: ProviderClient,
  { url, authKey, templateId, reminderTemplateId }: Account,
): Channel {
  const send = async (path: string, json: object) => {
    const { type } = await call.json('post', `${url}${path}`, Answer, { headers: { authkey: authKey }, json })
    if (type !== 'success')
      throw unavailable(
        'The messaging provider cannot be reached',
        new LoggableError('MSG91 answered with an error'),
      )
  }
  return {
    sendOtp: (phone, otp, lifetimeMs) =>
      send('/api/v5/otp', {
        template_id: templateId,
        mobile: `91${phone}`,
        otp,
        otp_expiry: lifetimeMs / 60_000,
      }),
    sendReminder: reminderTemplateId
      ? (phone, { agreement_number, signing_url }) =>
          send('/api/v5/flow', {
            template_id: reminderTemplateId,
            recipients: [{ mobiles: `91${phone}`, number: agreement_number, url: signing_url }],
          })
      : undefined,
  }
}

const Answer = Type.Object({ type: Type.String() })
