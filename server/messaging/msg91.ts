import { Type } from '@sinclair/typebox'
import { unavailable } from '../faults'
import type { Outbound } from '../outbound'
import type { SendOtp } from './port'

type Account = { url: string; authKey: string; templateId: string }

/** MSG91's OTP message by SMS. A failure may come with status 200, so its `type` decides. */
export const createMsg91 = (call: Outbound, { url, authKey, templateId }: Account): SendOtp => async (phone, otp, lifetimeMs) => {
  const { type } = await call.json('post', `${url}/api/v5/otp`, Answer, {
    headers: { authkey: authKey },
    json: { template_id: templateId, mobile: `91${phone}`, otp, otp_expiry: lifetimeMs / 60_000 },
  })
  if (type !== 'success') throw unavailable('The messaging provider cannot be reached', new Error('MSG91 answered with an error'))
}

const Answer = Type.Object({ type: Type.String() })
