import { refuse } from '../../../faults'
import type { ProviderClient } from '../../http-client'
import { UnexplainedError } from '../../provider-errors'
import type { Channel } from '../port'
import { MessageResponse, toInvitationBody, toOtpBody, toReminderBody } from './transform'

type Msg91Account = {
  baseUrl: string
  authKey: string
  templateId: string
  reminderTemplateId?: string
  invitationTemplateId?: string
}

/** Sends SMS by MSG91. */
export function createMsg91(client: ProviderClient, account: Msg91Account): Channel {
  const { baseUrl, authKey, templateId, reminderTemplateId, invitationTemplateId } = account

  /** An error may come with status 200, so `type` decides. */
  async function send(path: string, json: object) {
    const options = { headers: { authkey: authKey }, json }
    const { type } = await client.requestJson('post', `${baseUrl}${path}`, MessageResponse, options)
    if (type === 'success') return
    const cause = new UnexplainedError('MSG91 responded with an error')
    throw refuse('provider_unreachable', { provider: 'messaging' }, { cause })
  }

  return {
    sendOtp: (phone, otp, lifetimeMs) => send('/api/v5/otp', toOtpBody(templateId, phone, otp, lifetimeMs)),
    sendReminder:
      reminderTemplateId === undefined
        ? undefined
        : (phone, reminder) => send('/api/v5/flow', toReminderBody(reminderTemplateId, phone, reminder)),
    sendInvitation:
      invitationTemplateId === undefined
        ? undefined
        : (phone, url) => send('/api/v5/flow', toInvitationBody(invitationTemplateId, phone, url)),
  }
}
