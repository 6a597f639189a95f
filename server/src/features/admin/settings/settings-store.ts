import { type SettingName, type SettingSource, SettingValues, settingNames } from '@assay/shared/settings.ts'
import type { Config } from '../../../config.ts'
import { decryptSecret, encryptSecret } from '../../../lib/security/secret-encryption.ts'
import { SettingsModel } from '../../../records/system/settings.model.ts'

export const SETTINGS_PURPOSE = 'system settings'

export interface ResolvedSettings {
  values: SettingValues
  sources: Record<SettingName, SettingSource>
  /** Encrypted with another SECRET_KEY. */
  smtpUnreadable: boolean
}

export type SettingChanges = { [K in SettingName]?: SettingValues[K] | null }

export interface SettingsStore {
  /** Read each time, so that changes by other processes apply at once. */
  current(): Promise<SettingValues>
  resolved(): Promise<ResolvedSettings>
  limit(name: Extract<SettingName, `limit_${string}`>): () => Promise<number>
  /** Null resets a value. Those set by the environment must not be among them. */
  change(changes: SettingChanges): Promise<void>
}

/** The environment overrides stored values, and these the defaults. */
export function createSettingsStore(
  config: Pick<Config, 'settings' | 'settingsFromEnvironment' | 'secretKey'>,
): SettingsStore {
  async function resolved(): Promise<ResolvedSettings> {
    const doc = await SettingsModel.findById('system').lean()
    const sealed = doc?.smtp_url_sealed ?? null
    const smtpUrl = sealed === null ? null : decryptSecret(sealed, config.secretKey, SETTINGS_PURPOSE)
    const stored: Record<string, unknown> = { ...doc?.values, ...(smtpUrl === null ? {} : { smtp_url: smtpUrl }) }

    const sources = {} as Record<SettingName, SettingSource>
    const values: Record<string, unknown> = { ...config.settings }
    for (const name of settingNames) {
      // An older version's value that is invalid now counts as none.
      const parsed = SettingValues.shape[name].safeParse(stored[name])
      const isValid = stored[name] !== undefined && parsed.success
      sources[name] = config.settingsFromEnvironment.has(name) ? 'environment' : isValid ? 'stored' : 'default'
      if (sources[name] === 'stored') values[name] = parsed.data
    }
    return {
      values: SettingValues.parse(values),
      sources,
      smtpUnreadable: sealed !== null && smtpUrl === null && sources.smtp_url === 'default',
    }
  }

  return {
    resolved,
    current: async () => (await resolved()).values,
    limit: (name) => async () => (await resolved()).values[name],
    async change(changes) {
      const set: Record<string, unknown> = {}
      const unset: Record<string, ''> = {}
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) continue
        const path = name === 'smtp_url' ? 'smtp_url_sealed' : `values.${name}`
        if (value === null) unset[path] = ''
        else set[path] = name === 'smtp_url' ? encryptSecret(String(value), config.secretKey, SETTINGS_PURPOSE) : value
      }
      await SettingsModel.updateOne(
        { _id: 'system' },
        { ...(Object.keys(set).length ? { $set: set } : {}), ...(Object.keys(unset).length ? { $unset: unset } : {}) },
        { upsert: true },
      )
    },
  }
}
