import type { Response } from 'express'
import { html } from '../../../../lib/html.ts'
import type { Framing } from '../../../../lib/security-headers.ts'
import { sendPage } from '../../door/pages.ts'
import type { LtiRefusal } from '../../refusals.ts'
import { toolValues } from '../tool.ts'
import type { Registered } from './register.ts'

/** Tells the LMS that we are done, so that it may close the frame or window (LTI Dynamic Registration 1.0, 3.4). */
export const CLOSE_SCRIPT =
  "(window.opener || window.parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*')\n"

/** The LMS that has opened a window waits there for its message. */
const keepOpener = (response: Response) => response.set('Cross-Origin-Opener-Policy', 'unsafe-none')

/** Nothing on these pages can be pressed but a link that opens elsewhere: who frames them gains nothing. */
export function sendRegistered(
  response: Response,
  framing: Framing,
  { platform, again }: Registered,
  publicUrl: string,
): void {
  const title = 'Registered. An Assay administrator approves it next.'
  const next = again
    ? `${platform.name} was registered before. Its new values are used once they are approved.`
    : `${platform.name} can open Assay once it is approved.`
  const approve = `${toolValues(publicUrl).public_url}/admin/lms/${platform._id}`
  sendPage(keepOpener(response), {
    title,
    framing,
    script: '/lti/registered.js',
    body: html`<h1>${title}</h1>
<p>${next}</p>
<p><a class="button" href="${approve}" target="_blank" rel="noopener">Open it in Assay</a></p>`,
  })
}

export function sendRefused(response: Response, framing: Framing, refusal: LtiRefusal): void {
  const { said, todo, mend, detail, code } = refusal
  sendPage(keepOpener(response).status(refusal.status), {
    title: said,
    framing,
    body: html`<h1>${said}</h1>
<p>Nothing was registered in Assay.</p>
<p>${todo}</p>
<p>${mend}</p>
<details open>
<summary>What exactly was wrong</summary>
<dl>
<dt>Reason</dt><dd>${code}</dd>
${detail && html`<dt>Detail</dt><dd>${detail}</dd>`}
</dl>
</details>`,
  })
}
