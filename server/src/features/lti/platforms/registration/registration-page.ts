import type { Response } from 'express'
import { html } from '../../../../lib/http/html.ts'
import { ANYONE, type FrameAncestors } from '../../../../lib/security/security-headers.ts'
import { sendPage } from '../../launch-endpoints/pages/send-page.ts'
import type { LtiRefusal } from '../../refusals.ts'
import { toolValues } from '../tool-values.ts'
import type { RegistrationResult } from './register-by-link.ts'

/** Notifies the LMS that we are done, so that it can close the frame or window (LTI Dynamic Registration 1.0, 3.4). */
export const CLOSE_SCRIPT =
  "(window.opener || window.parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*')\n"

/** The LMS that opened the window waits for its message. */
const keepWindowOpener = (response: Response) => response.set('Cross-Origin-Opener-Policy', 'unsafe-none')

/** The only control on these pages is a link that opens elsewhere, so framing them gains an attacker nothing. */
export function sendRegisteredPage(
  response: Response,
  framing: FrameAncestors,
  { platform, isUpdate }: RegistrationResult,
  publicUrl: string,
): void {
  const title = 'Registered. An Assay administrator must now approve it.'
  const next = isUpdate
    ? `${platform.name} was already registered. Its new values take effect once they are approved.`
    : `${platform.name} can open Assay once it is approved.`
  const approve = `${toolValues(publicUrl).public_url}/admin/lms/${platform._id}`
  sendPage(keepWindowOpener(response), {
    title,
    framing,
    script: '/lti/registered.js',
    body: html`<h1>${title}</h1>
<p>${next}</p>
<p><a class="button" href="${approve}" target="_blank" rel="noopener">Open it in Assay</a></p>`,
  })
}

/** In the frame of an LMS that nobody here knows yet, the refusal of its first registration. */
export function sendRegistrationRefusedPage(response: Response, refusal: LtiRefusal): void {
  const { userMessage, todo, fix, detail, code } = refusal
  sendPage(keepWindowOpener(response).status(refusal.status), {
    title: userMessage,
    framing: ANYONE,
    body: html`<h1>${userMessage}</h1>
<p>Nothing was registered in Assay.</p>
<p>${todo}</p>
<p>${fix}</p>
<details open>
<summary>What went wrong</summary>
<dl>
<dt>Reason</dt><dd>${code}</dd>
${detail && html`<dt>Detail</dt><dd>${detail}</dd>`}
</dl>
</details>`,
  })
}
