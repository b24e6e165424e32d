import { Elysia } from 'elysia'
import type { SigningOutcome } from '@kiraya/sdk/contract'
import type { SandboxCore } from '../core'
import {
  formatShownPhone,
  getClosingReason,
  hasDeclined,
  isComplete,
  isSigningOutcome,
  type ClosingReason,
  type RequestSigner,
  type Signer,
} from '../signing-model'
import { applySigningOutcome, getSigningUrl, markOpened } from '../signing-requests'
import {
  badge,
  card,
  descriptionList,
  isHttpUrl,
  itemList,
  link,
  listItem,
  notice,
  orderedList,
  paragraph,
  section,
  time,
  type Tone,
} from './elements'
import { outcomeButtons } from './forms'
import { html } from './html'
import { noSuchActionPage, notFoundPage, peoplePage } from './people-layout'

const NOT_FOUND = 'signing request'

/** A signer's pages; the response to an outcome comes after its webhook. */
export const signingPageRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox/sign' })
    .get('/:id', async ({ params }) => {
      const part = await markOpened(sandbox, params.id)
      if (!part) return notFoundPage(NOT_FOUND)
      const closedBy = getClosingReason(part, await sandbox.clock.now())
      return signingPage(part, getSigningPath(sandbox, part), closedBy)
    })
    .post('/:id/:outcome', async ({ params: { id, outcome } }) => {
      if (!isSigningOutcome(outcome)) return noSuchActionPage()
      const part = await applySigningOutcome(sandbox, id, outcome)
      if (!part) return notFoundPage(NOT_FOUND)
      if (part.closedBy) return closedPage(part.closedBy)
      const redirectUrl = sandbox.deps.config.ESIGN_REDIRECT_URL
      if (redirectUrl) return Response.redirect(redirectUrl, 303)
      return outcomePage(part, getSigningPath(sandbox, part), outcome)
    })

const getSigningPath = (sandbox: SandboxCore, part: RequestSigner) =>
  new URL(getSigningUrl(sandbox, part)).pathname

const closingTexts: Record<ClosingReason, string> = {
  signed: 'You have signed already.',
  declined: 'You have declined to sign.',
  cancelled: 'The request was cancelled.',
  expired: 'The time to sign has run out.',
}

const retryTexts: Record<string, string> = {
  invaild_otp: 'The last one-time password was wrong.',
  session_expired: 'The session has expired.',
}

function signingPage(part: RequestSigner, path: string, closedBy: ClosingReason | undefined) {
  if (closedBy) {
    const closed = `This request is closed. ${closingTexts[closedBy]}`
    return peoplePage('Sign your rental agreement', [
      notice(closed, closedBy === 'signed' ? 'good' : 'bad'),
      documentCard(part, path, 'Was open until'),
      signersCard(part),
    ])
  }

  const { displayName, errCode } = part.signer
  const error = errCode && retryTexts[errCode]
  return peoplePage('Sign your rental agreement', [
    paragraph(
      `${displayName}, Kiraya asks for your signature. Read the whole document before you sign.`,
      'lead',
    ),
    error && notice(`${error} You can try again.`, 'bad'),
    documentCard(part, path, 'Open until'),
    signersCard(part),
    section('Your decision', [
      outcomeButtons(path, { sign: 'Sign', decline: 'Decline' }, 'sign'),
      html`<h3>For testing</h3>`,
      outcomeButtons(path, { 'fail-otp': 'Fail OTP', expire: 'Expire' }),
    ]),
    section(
      'What happens next',
      orderedList([
        'Press Sign. The sandbox does not ask for a one-time password.',
        'Kiraya receives your signature at once.',
        'The agreement becomes active when everyone has signed.',
      ]),
    ),
  ])
}

function documentCard({ request }: RequestSigner, path: string, validityLabel: string) {
  const { document, documentUrl } = request
  const address = document ? `${path}/document.pdf` : (documentUrl ?? '')
  const title = isHttpUrl(address) ? link(address, 'Read the document') : 'The document'
  const signedPdf = link(`${path}/signed.pdf`, 'Download the signed PDF')
  return card('Document', [
    itemList([listItem(title, document?.name ?? documentUrl)], ''),
    descriptionList({
      [validityLabel]: time(request.validUpto),
      ...(isComplete(request) && { 'Signed copy': signedPdf }),
    }),
  ])
}

function signersCard({ request, signer }: RequestSigner) {
  const items = request.signers.map(other => {
    const isSelf = other.id === signer.id
    const name = isSelf ? `${other.displayName} (you)` : other.displayName
    return [listItem(name, formatShownPhone(other)), signerBadge(other)]
  })
  return card(items.length > 1 ? 'Signers' : 'Signer', itemList(items, ''))
}

function signerBadge(signer: Signer) {
  if (signer.status === 'signed') return badge('Signed', 'good')
  if (hasDeclined(signer)) return badge('Declined', 'bad')
  return signer.status === 'in_progress' ? badge('Opened', 'busy') : badge('Waiting')
}

const outcomeTexts: Record<SigningOutcome, { title: string; text: string; tone: Tone }> = {
  sign: {
    title: 'You have signed',
    text: 'Kiraya has received your signature. The agreement becomes active when everyone has signed.',
    tone: 'good',
  },
  decline: {
    title: 'You have declined to sign',
    text: 'Kiraya has received your decision. The landlord can ask you again.',
    tone: 'bad',
  },
  'fail-otp': {
    title: 'The one-time password was wrong; you can try again',
    text: 'The request stays open.',
    tone: 'bad',
  },
  expire: {
    title: 'The time to sign has run out',
    text: 'The landlord can ask you again.',
    tone: 'bad',
  },
}

function outcomePage(part: RequestSigner, path: string, outcome: SigningOutcome) {
  const { title, text, tone } = outcomeTexts[outcome]
  return peoplePage(title, [
    notice(text, tone),
    outcome === 'fail-otp' ? paragraph(link(path, 'Back to the document')) : nextSteps(path, outcome),
    part.request.signers.length > 1 && signersCard(part),
  ])
}

function nextSteps(path: string, outcome: SigningOutcome) {
  const steps = [html`You can close this page and go back to Kiraya.`]
  if (outcome === 'sign') {
    const signedPdf = link(`${path}/signed.pdf`, 'download the PDF as signed so far')
    steps.unshift(html`Keep your copy: ${signedPdf}.`)
  }
  return section('What happens next', orderedList(steps))
}

const closedPage = (closedBy: ClosingReason) =>
  peoplePage('This request is closed', notice(closingTexts[closedBy], 'bad'), 400)
