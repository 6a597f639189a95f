import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useServer } from '../../testing/server.ts'
import { createMail } from './mail.ts'

const server = useServer()

it('writes mail to the outbox where there is no mail server, whole and readable', async () => {
  const outbox = await mkdtemp(join(tmpdir(), 'assay-outbox-'))
  const { jobs, log } = server.running.services
  const { mail } = createMail(async () => ({ smtpUrl: null, from: 'Assay <a@school.example>' }), outbox, jobs, log)
  await mail.sendNow({ to: 'ada@school.example', subject: 'Zürich', text: 'Follow this link.' })
  const names = await readdir(outbox)
  expect(names).toHaveLength(1)
  const text = await readFile(join(outbox, names[0] ?? ''), 'utf8')
  expect(text).toMatch(/^To: ada@school\.example$/m)
  expect(text).toContain('Follow this link.')
})

it('sends what is posted, one of each key', async () => {
  const { mail, config } = server.running.services
  const message = { to: 'ada@school.example', subject: 'Once', text: 'Hello', key: 'once' }
  await mail.enqueue([message, message])
  const outbox = join(config.dataDir, 'outbox')
  const sent = async () => (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
  await expect.poll(sent).toHaveLength(1)
})
