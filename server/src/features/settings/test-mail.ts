import { setTimeout as after } from 'node:timers/promises'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import type { sendTestMail } from '@assay/shared/settings.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'

/** Shorter than a browser's own timeout. */
const TIMEOUT_MS = 20_000

/** Mails someone at once, and returns a message about the result: the mail server's own where it rejected the mail. */
export async function deliverTestMail(
  user: UserDoc,
  { mail, settings, config }: Pick<Services, 'mail' | 'settings' | 'config'>,
): Promise<ReplyOf<typeof sendTestMail>> {
  const { smtp_url } = await settings.current()
  const text = `This is a test from Assay at ${config.publicUrl}. Email works.\n`
  const stop = new AbortController()
  try {
    await Promise.race([
      mail.sendNow({ to: user.email, subject: 'A test from Assay', text }),
      after(TIMEOUT_MS, undefined, { signal: stop.signal }).then(() => {
        throw new Error('the mail server did not answer in time')
      }),
    ])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { outcome: 'failed', message: `The email was not sent: ${reason}` }
  } finally {
    stop.abort()
  }
  return smtp_url === null
    ? { outcome: 'written', message: 'There is no mail server; the email was written to the outbox folder.' }
    : { outcome: 'sent', message: `The mail server accepted the email to ${user.email}.` }
}
