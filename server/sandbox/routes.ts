import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { page, paragraph } from '../pages'
import { sandboxKyc } from './ekyc'
import { sandboxSigning } from './esign'
import { sandboxMessages } from './messages'

/** The stand-ins for those providers that no setting names, and the pages that people come back to from any provider. */
export const sandboxRoutes = (deps: Deps) => {
  const { messages, signing, kyc } = deps.config.sandbox, none = new Elysia()
  return new Elysia()
    .get('/signed', () => page('Thank you', paragraph('Your answer is on its way to the parties of the agreement. You can close this page.')))
    .get('/verified', () => page('Thank you', paragraph('Go back to Kiraya to finish the check of your identity.')))
    .use(messages ? sandboxMessages(deps) : none)
    .use(signing ? sandboxSigning(deps) : none)
    .use(kyc ? sandboxKyc(deps) : none)
}
