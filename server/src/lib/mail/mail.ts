import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { type BackgroundWork, defineJob } from '../jobs/job.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { Log } from '../log.ts'

const MailMessage = z.object({ to: z.string(), subject: z.string(), text: z.string() })
type MailMessage = z.infer<typeof MailMessage>

interface MailSettings {
  /** Null: mail goes to the outbox folder as .eml files. */
  smtpUrl: string | null
  from: string
}

export interface Mail {
  /** For secrets, which must not lie in the queue. @throws when the mail server refuses it */
  sendNow(message: MailMessage): Promise<void>
  enqueue(messages: (MailMessage & { key?: string })[]): Promise<void>
}

export const MAIL_JOB = 'send-mail'
const ATTEMPTS = 5

/** Atomic, so that readers of the folder never see half a mail. */
async function writeToOutbox(folder: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`
  const staging = join(folder, `.${name}.new`)
  await writeFile(staging, content, { mode: 0o600 })
  await rename(staging, join(folder, name))
}

/** Settings are read for each message. */
export function createMail(
  settings: () => Promise<MailSettings>,
  outbox: string,
  jobs: JobQueue,
  log: Log,
): BackgroundWork & { mail: Mail } {
  async function deliver({ to, subject, text }: MailMessage): Promise<void> {
    const { smtpUrl, from } = await settings()
    const message = { from, to, subject, text }
    if (smtpUrl === null) {
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message: content } = await composer.sendMail(message)
      await writeToOutbox(outbox, Buffer.from(content as Buffer))
      return
    }
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: 20_000,
      greetingTimeout: 20_000,
      socketTimeout: 30_000,
    })
    try {
      await transport.sendMail(message)
    } finally {
      transport.close()
    }
  }

  const job = defineJob({
    name: MAIL_JOB,
    payload: MailMessage,
    attempts: ATTEMPTS,
    pool: 'mail',
    run: deliver,
    onFailed: async ({ subject }, error) => log.error({ err: error, subject }, 'mail failed permanently'),
  })

  return {
    jobs: [job],
    mail: {
      sendNow: deliver,
      enqueue: (messages) =>
        jobs.add(
          job,
          messages.map(({ key, ...payload }) => ({ key: key ?? randomUUID(), group: 'mail', payload })),
        ),
    },
  }
}
