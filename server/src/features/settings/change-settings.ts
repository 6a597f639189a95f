import { type SettingName, settingNames } from '@assay/shared/settings.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { redactSmtpUrl } from './settings.present.ts'
import type { ResolvedSettings, SettingChanges } from './settings-store.ts'

const loggableValue = (values: ResolvedSettings['values'], name: SettingName) =>
  name === 'smtp_url' ? redactSmtpUrl(values.smtp_url) : values[name]

/**
 * Stores what an administrator has set and audits it, without secrets.
 * @throws {AppError} `validation_failed` for what the environment sets: a stored value would have no effect
 */
export async function changeSettings(
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
  // A new password for the same mail server looks the same without the secret; that it was entered is audited nevertheless.
  const changed = names.filter(
    (name) => name === 'smtp_url' || loggableValue(before.values, name) !== loggableValue(after.values, name),
  )
  if (changed.length > 0) {
    const loggable = ({ values }: ResolvedSettings) =>
      Object.fromEntries(changed.map((name) => [name, loggableValue(values, name)]))
    await recordAudit(actor, 'settings.changed', {}, clock.now(), {
      before: loggable(before),
      after: loggable(after),
    })
  }
  return after
}
