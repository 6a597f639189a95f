import { SETTINGS_PURPOSE } from '../features/admin/settings/settings-store.ts'
import { KEY_PURPOSE } from '../features/llm/resolve-llm.ts'
import { PLATFORM_KEY_PURPOSE } from '../features/lti/platforms/platform-keys.ts'
import { REGISTRATION_PURPOSE } from '../features/lti/platforms/registration/send-registration.ts'
import { decryptSecret, encryptSecret } from '../lib/security/secret-encryption.ts'
import { LlmSettingsModel } from '../records/llm/llm-settings.model.ts'
import { LtiPlatformModel } from '../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../records/lti/platform-key.model.ts'
import { SettingsModel } from '../records/system/settings.model.ts'
import type { StoredModel } from './personal-data/erasure/erasure-rule.ts'

const SECRETS: { model: StoredModel; path: string; purpose: string }[] = [
  { model: LlmSettingsModel, path: 'key_sealed', purpose: KEY_PURPOSE },
  { model: SettingsModel, path: 'smtp_url_sealed', purpose: SETTINGS_PURPOSE },
  { model: LtiPlatformKeyModel, path: 'private_key', purpose: PLATFORM_KEY_PURPOSE },
  { model: LtiPlatformModel, path: 'registration.token', purpose: REGISTRATION_PURPOSE },
]

/** `unreadable`: to be entered again, as neither key decrypts them. */
export async function rotateSecrets(secretKey: string, previous: string) {
  const rotation = { rotated: 0, unreadable: 0 }
  for (const { model, path, purpose } of SECRETS) {
    for (const stored of await model.find({ [path]: { $type: 'string' } })) {
      const sealed: string = stored.get(path)
      if (decryptSecret(sealed, secretKey, purpose) !== null) continue
      const secret = decryptSecret(sealed, previous, purpose)
      if (secret === null) rotation.unreadable += 1
      else {
        const again = encryptSecret(secret, secretKey, purpose)
        // Unless somebody has changed it meanwhile.
        const changed = await model.updateOne({ _id: stored._id, [path]: sealed }, { $set: { [path]: again } })
        rotation.rotated += changed.modifiedCount
      }
    }
  }
  return rotation
}
