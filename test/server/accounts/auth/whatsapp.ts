import { serveUntilEnd } from '../../../support/provider-double'

/** A WhatsApp Cloud API that records messages. With it production limits apply, and each OTP is random. */
export function startWhatsAppStub() {
  const sent: { phone: string; otp: string; authorization: string | null; path: string; body: any }[] = []
  const stub = {
    /** Replaces the usual response. */
    answer: undefined as (() => Response | Promise<Response>) | undefined,
    sent,
    otpOf: (phone: string) => sent.findLast(message => message.phone === phone)?.otp,
    env: {} as Record<string, string>,
  }
  const url = serveUntilEnd(async request => {
    const body = (await request.json()) as any
    const otp = body.template.components[0].parameters[0].text
    sent.push({
      phone: body.to.slice(2),
      otp,
      authorization: request.headers.get('authorization'),
      path: new URL(request.url).pathname,
      body,
    })
    return stub.answer
      ? stub.answer()
      : Response.json({
          messaging_product: 'whatsapp',
          contacts: [{ input: body.to, wa_id: body.to }],
          messages: [{ id: `wamid.${sent.length}` }],
        })
  })
  stub.env = {
    MESSAGE_CHANNELS: 'whatsapp',
    WHATSAPP_API_URL: `${url}/v23.0`,
    WHATSAPP_PHONE_NUMBER_ID: '1234',
    WHATSAPP_ACCESS_TOKEN: 'the access token',
  }
  return stub
}
