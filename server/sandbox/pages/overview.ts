import { Elysia } from 'elysia'
import type { SandboxCheck, SandboxMessage, SandboxSignature } from '@kiraya/sdk/contract'
import { badge, card, itemList, link, linkAddresses, listItem, paragraph, time } from '../../pages/elements'
import { html } from '../../pages/html'
import { page } from '../../pages/layout'
import { SAMPLE_LEASE_PATH } from '../../documents/sample-lease'
import { maskPhone } from '../../domain/formats'
import { hasControlAccess, loadSandboxState } from '../control'
import type { SandboxCore } from '../core'
import { listNewestMessages } from '../whatsapp'

/** The page for QA. */
export const overviewRoutes = (sandbox: SandboxCore) =>
  new Elysia().get('/sandbox', ({ request }) =>
    hasControlAccess(sandbox.deps, request, true) ? overviewPage(sandbox) : signInPage(),
  )

const signInPage = () =>
  page(
    'Sign in to the sandbox',
    paragraph('Use the value of SANDBOX_TOKEN as the password. The user name does not matter.'),
    {
      status: 401,
      tag: 'Sandbox',
      headers: { 'www-authenticate': 'Basic realm="Kiraya sandbox", charset="UTF-8"' },
    },
  )

/** Renders links to what a person can act on, and the newest messages. */
async function overviewPage(sandbox: SandboxCore) {
  const { deps } = sandbox
  const simulated = deps.config.sandbox
  const { signatures, checks } = await loadSandboxState(sandbox)
  const sampleLease = link(deps.publicUrl() + SAMPLE_LEASE_PATH)
  const body = [
    paragraph('The sandbox simulates the e-signing, eKYC and message providers.', 'lead'),
    simulated.signing && signaturesCard(signatures),
    simulated.kyc && checksCard(checks),
    simulated.messages && messagesCard(await listNewestMessages(deps, {})),
    paragraph(html`Sample lease for trying out the signing: ${sampleLease}`, 'note'),
    paragraph('To make a provider fail or to move the clock, run npx kiraya sandbox --help.', 'note'),
  ]
  return page('Sandbox', body, { tag: 'Sandbox' })
}

function signaturesCard(signatures: SandboxSignature[]) {
  const items = signatures.map(({ url, name, phone, valid_until }) =>
    listItem(link(url, name), maskPhone(phone), html`open until ${time(valid_until)}`),
  )
  return card('Open signing requests', itemList(items, 'No open signing requests.'))
}

function checksCard(checks: SandboxCheck[]) {
  const items = checks.map(({ id, url }) => listItem(link(url, `Check ${id.slice(0, 8)}`)))
  return card('Open identity checks', itemList(items, 'No open identity checks.'))
}

function messagesCard(messages: SandboxMessage[]) {
  const items = messages.map(({ phone, otp, text, sent_at }) => [
    listItem(linkAddresses(text), phone, time(sent_at)),
    otp !== null && badge(otp, 'good'),
  ])
  return card('Newest messages', itemList(items, 'No messages.'))
}
