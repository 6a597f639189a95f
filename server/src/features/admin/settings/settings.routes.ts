import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import {
  changeSystemSettings,
  getPublicSettings,
  getSystemSettings,
  type SettingName,
  sendTestMail,
  settingNames,
} from '@assay/shared/settings.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../../lib/http/handle.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { canAdminister } from '../../users/admin.policy.ts'
import { requireUser } from '../../users/user.service.ts'
import { canUseTestPages } from '../test-pages/test-page.policy.ts'
import type { ResolvedSettings, SettingChanges } from './settings-store.ts'

export function settingsRoutes(router: Router, services: Services, hooks: { retentionChanged(): Promise<void> }): void {
  const { settings } = services

  handle(router, getPublicSettings, async ({ bearer }) => {
    const { support_email, instructor_registration } = await settings.current()
    const test_pages = (await canUseTestPages(bearer, services)) === 'yes'
    return { support_email, instructor_registration, test_pages }
  })

  handle(router, getSystemSettings, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentSettings(await settings.resolved(), services)
  })

  handle(router, changeSystemSettings, async ({ body, actor }) => {
    allow(canAdminister(actor))
    const changed = await changeSettings(body, actor, services)
    if (body.retention_months !== undefined) await hooks.retentionChanged()
    return presentSettings(changed, services)
  })

  handle(router, sendTestMail, async ({ actor }) => {
    allow(canAdminister(actor))
    return deliverTestMail(await requireUser(actor.id), services)
  })
}

function redactSmtpUrl(smtpUrl: string | null): string | null {
  if (smtpUrl === null) return null
  const { protocol, host } = new URL(smtpUrl)
  return `${protocol}//${host}`
}

function presentSettings({ values, sources, smtpUnreadable }: ResolvedSettings, { config }: Pick<Services, 'config'>) {
  const shown = { ...values, smtp_url: redactSmtpUrl(values.smtp_url) }
  const withSources = settingNames.map((name) => [name, { value: shown[name], source: sources[name] }])
  return {
    values: Object.fromEntries(withSources),
    smtp_unreadable: smtpUnreadable,
    outbox_folder: join(config.dataDir, 'outbox'),
  }
}

const loggableValue = (values: ResolvedSettings['values'], name: SettingName) =>
  name === 'smtp_url' ? redactSmtpUrl(values.smtp_url) : values[name]

/** Audits without secrets. @throws {AppError} `validation_failed` for what the environment sets */
async function changeSettings(
  changes: SettingChanges,
  actor: Actor,
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
): Promise<ResolvedSettings> {
  const before = await settings.resolved()
  const names = settingNames.filter((name) => changes[name] !== undefined)
  const fixed = names.filter((name) => before.sources[name] === 'environment')
  if (fixed.length > 0) {
    throw new AppError('validation_failed', undefined, {
      details: fixed.map((name) => ({
        loc: ['body', name],
        msg: `${name.toUpperCase()} is set by the server’s environment and cannot be changed here.`,
        type: 'set_by_environment',
      })),
    })
  }
  await settings.change(changes)
  const after = await settings.resolved()
  // A new mail password looks the same without the secret.
  const changed = names.filter(
    (name) => name === 'smtp_url' || loggableValue(before.values, name) !== loggableValue(after.values, name),
  )
  if (changed.length > 0) {
    const loggable = ({ values }: ResolvedSettings) =>
      Object.fromEntries(changed.map((name) => [name, loggableValue(values, name)]))
    await recordAudit(actor, 'settings.changed', {}, clock.now(), { before: loggable(before), after: loggable(after) })
  }
  return after
}

/** In ms, shorter than a browser's own timeout. */
const TIMEOUT_MS = 20_000

async function deliverTestMail(
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
