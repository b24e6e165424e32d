import { Elysia } from 'elysia'
import type { CheckOutcome, SigningOutcome } from '@kiraya/sdk/contract'
import {
  actions,
  badge,
  listItem,
  descriptionList,
  html,
  isHttpUrl,
  link,
  maskedPhone,
  notice,
  page,
  paragraph,
  itemList,
  section,
  orderedList,
  time,
  type Html,
} from './html'
import { isCheckOutcome, isCheckOpen } from './kyc-checks'
import type { Sandbox } from './index'
import { getClosingReason, isSigningOutcome, toRequestStatus, type RequestSigner } from './signing-requests'

const TAG = { tag: 'Sandbox' }
const sandboxNote = paragraph(
  'This is the sandbox: nothing here is legally binding, and no real identity is read.',
  'note',
)
const nothingHere = (what: string) =>
  page(
    `No such ${what}`,
    [
      notice('The address is not complete, or the request is gone.', 'bad'),
      paragraph('Open the link again from the message, or ask whoever sent it for a new one.'),
    ],
    { status: 404, ...TAG },
  )
const noSuchAction = () =>
  page('Nothing to do', paragraph('There is no such action.'), { status: 404, ...TAG })

const closed = {
  signed: 'You have signed already.',
  declined: 'You have declined to sign.',
  cancelled: 'The request was taken back.',
  expired: 'The time to sign has run out.',
} as const
const isClosedBy = (by: string): by is keyof typeof closed => Object.hasOwn(closed, by)
const errors: Record<string, string> = {
  invaild_otp: 'The last one-time password was wrong.',
  session_expired: 'The session has expired.',
}

const stateOf = ({ status, errCode }: RequestSigner['signer']): Html =>
  status === 'signed'
    ? badge('Signed', 'good')
    : errCode === 'signer_declined'
      ? badge('Declined', 'bad')
      : status === 'in_progress'
        ? badge('Opened', 'busy')
        : badge('Waiting')

function signingPage({ request, signer }: RequestSigner, address: string, now: Date) {
  const base = new URL(address).pathname
  const by = getClosingReason(request, signer, now)
  const [source, about] = request.document
    ? [`${base}/document.pdf`, request.document.name]
    : [request.documentUrl ?? '', request.documentUrl ?? '']
  const error = !by && signer.errCode && errors[signer.errCode]
  return page(
    'Sign your rental agreement',
    html`<div class="people">
        ${!by && paragraph(html`${signer.displayName}, Kiraya asks for your signature. Read the document first; you sign all of it.`, 'lead')}
        ${by && isClosedBy(by) ? notice(html`This request is closed. ${closed[by]}`, by === 'signed' ? 'good' : 'bad') : error && notice(html`${error} You can try again.`, 'bad')}
        ${section('Document', [itemList([listItem(isHttpUrl(source) ? link(source, 'Read the document') : 'The document', about)], ''), descriptionList({ [by ? 'Was open until' : 'Open until']: time(request.validUpto), ...(toRequestStatus(request) === 'sign_complete' && { 'Signed copy': link(`${base}/signed.pdf`, 'Download the signed PDF') }) })], 'card')}
        ${section(
          request.signers.length > 1 ? 'Who signs' : 'Signer',
          itemList(
            request.signers.map(
              one =>
                html`${listItem([one.displayName, one.id === signer.id && ' (you)'], maskedPhone(one.identifier))}${stateOf(one)}`,
            ),
            '',
          ),
          'card',
        )}
        ${
          !by &&
          section(
            'Your decision',
            html`${actions(base, { sign: 'Sign', decline: 'Decline' }, 'sign')}
              <h3>To try out</h3>
              ${actions(base, { 'fail-otp': 'Fail OTP', expire: 'Expire' })}`,
          )
        }
        ${!by && section('What happens next', orderedList(['You press Sign; a one-time password is not asked for here.', 'Kiraya is told at once, and so are the others.', 'The agreement becomes active when everybody has signed.']))}
      </div>
      ${sandboxNote}`,
    TAG,
  )
}

const pressed: Record<SigningOutcome, { said: string; next: string; tone: 'good' | 'bad' }> = {
  sign: {
    said: 'You have signed',
    next: 'Kiraya has been told. The agreement becomes active when everybody has signed.',
    tone: 'good',
  },
  decline: {
    said: 'You have declined to sign',
    next: 'Kiraya has been told. The landlord can ask you again.',
    tone: 'bad',
  },
  'fail-otp': {
    said: 'The one-time password was wrong; you can try again',
    next: 'The request stays open.',
    tone: 'bad',
  },
  expire: { said: 'The time to sign has run out', next: 'The landlord can ask you again.', tone: 'bad' },
}

function pressedPage(part: RequestSigner, address: string, outcome: SigningOutcome) {
  const { said, next, tone } = pressed[outcome]
  const base = new URL(address).pathname
  return page(
    said,
    html`${notice(next, tone)}
    ${outcome === 'fail-otp' ? paragraph(link(base, 'Back to the document')) : section('What happens next', orderedList(outcome === 'sign' ? [html`Keep your copy: ${link(`${base}/signed.pdf`, 'download the PDF as signed so far')}.`, 'You can close this page and go back to Kiraya.'] : ['You can close this page and go back to Kiraya.']))}
    ${
      part.request.signers.length > 1 &&
      section(
        'Who signs',
        itemList(
          part.request.signers.map(
            one => html`${listItem(one.displayName, maskedPhone(one.identifier))}${stateOf(one)}`,
          ),
          '',
        ),
        'card',
      )
    }
    ${sandboxNote}`,
    TAG,
  )
}

/** The pages of a signer; a posted answer comes after its webhook was delivered. */
export const signingPageRoutes = ({ deps, clock, signingRequests }: Sandbox) =>
  new Elysia({ prefix: '/sandbox/sign' })
    .get('/:id', async ({ params }) => {
      const part = await signingRequests.view(params.id)
      return part
        ? signingPage(part, signingRequests.addressOf(part), await clock.now())
        : nothingHere('document')
    })
    .post('/:id/:outcome', async ({ params: { id, outcome } }) => {
      if (!isSigningOutcome(outcome)) return noSuchAction()
      const part = await signingRequests.applyOutcome(id, outcome)
      if (!part) return nothingHere('document')
      if (part.by)
        return page(
          'This request is closed',
          notice(isClosedBy(part.by) ? closed[part.by] : 'Its outcome stands.', 'bad'),
          { status: 400, ...TAG },
        )
      return deps.config.ESIGN_REDIRECT_URL
        ? Response.redirect(deps.config.ESIGN_REDIRECT_URL, 303)
        : pressedPage(part, signingRequests.addressOf(part), outcome)
    })

const decided: Record<CheckOutcome, { said: string; next: string; tone: 'good' | 'bad' }> = {
  approve: {
    said: 'Your identity is verified',
    next: 'Kiraya has been told. Go back to it to go on.',
    tone: 'good',
  },
  fail: {
    said: 'The check has failed',
    next: 'Kiraya has been told. You can begin again there.',
    tone: 'bad',
  },
}

/** The page on which somebody lets their identity be read. */
export const checkPageRoutes = ({ kycChecks }: Sandbox) =>
  new Elysia({ prefix: '/sandbox/verify' })
    .get('/:id', async ({ params }) => {
      const check = await kycChecks.view(params.id)
      if (!check) return nothingHere('verification')
      return page(
        'Share your identity with Kiraya',
        html`<div class="people">
            ${paragraph('Landlords and tenants deal with people who are who they say. Kiraya asks to read this from your Aadhaar, once:', 'lead')}
            ${!isCheckOpen(check) && notice('This verification is finished.', check.status === 'SUCCESS' ? 'good' : 'bad')}
            ${section('What is shared', descriptionList({ Name: 'as it is in your Aadhaar', Number: 'its last four digits alone' }), 'card')}
            ${section('What is not kept', paragraph('Your photo, your address, your date of birth and the rest of the number.'), 'card')}
            ${isCheckOpen(check) && section('Your decision', actions(`/sandbox/verify/${check.id}`, { approve: 'Approve', fail: 'Fail' }, 'approve'))}
            ${isCheckOpen(check) && section('What happens next', orderedList(['You approve; no one-time password is asked for here.', 'Kiraya is told, and you go back to it.']))}
          </div>
          ${sandboxNote}`,
        TAG,
      )
    })
    .post('/:id/:outcome', async ({ params: { id, outcome } }) => {
      if (!isCheckOutcome(outcome)) return noSuchAction()
      const done = await kycChecks.applyOutcome(id, outcome)
      if (!done) return nothingHere('verification')
      if (!done.counted)
        return page('This verification is finished', notice('Its outcome stands.', 'bad'), {
          status: 400,
          ...TAG,
        })
      const { said, next, tone } = decided[outcome]
      return page(
        said,
        [notice(next, tone), paragraph(link(done.check.redirectUrl, 'Continue to Kiraya')), sandboxNote],
        TAG,
      )
    })
