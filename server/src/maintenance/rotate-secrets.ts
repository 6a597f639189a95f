import { KEY_PURPOSE } from '../features/llm/resolve-llm.ts'
import { PLATFORM_KEY_PURPOSE } from '../features/lti/platforms/platform-keys.ts'
import { REGISTRATION_PURPOSE } from '../features/lti/platforms/registration/send-registration.ts'
import { SETTINGS_PURPOSE } from '../features/settings/settings-store.ts'
import { decryptSecret, encryptSecret } from '../lib/security/secret-encryption.ts'
import { LlmSettingsModel } from '../records/llm/llm-settings.model.ts'
import { LtiPlatformModel } from '../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../records/lti/platform-key.model.ts'
import { SettingsModel } from '../records/system/settings.model.ts'

interface Rotation {
  rotated: number
  /** Neither key decrypts these: they must be entered again. */
  unreadable: number
}

/** Replaced unless somebody has changed it meanwhile. */
async function* storedSecrets() {
  for (const { _id, key_sealed: sealed } of await LlmSettingsModel.find({ key_sealed: { $ne: null } }).lean())
    yield {
      sealed,
      purpose: KEY_PURPOSE,
      replace: (by: string) => LlmSettingsModel.updateOne({ _id, key_sealed: sealed }, { $set: { key_sealed: by } }),
    }
  for (const { _id, smtp_url_sealed: sealed } of await SettingsModel.find({ smtp_url_sealed: { $ne: null } }).lean())
    yield {
      sealed,
      purpose: SETTINGS_PURPOSE,
      replace: (by: string) =>
        SettingsModel.updateOne({ _id, smtp_url_sealed: sealed }, { $set: { smtp_url_sealed: by } }),
    }
  for (const { _id, private_key: sealed } of await LtiPlatformKeyModel.find({ private_key: { $ne: null } }).lean())
    yield {
      sealed,
      purpose: PLATFORM_KEY_PURPOSE,
      replace: (by: string) =>
        LtiPlatformKeyModel.updateOne({ _id, private_key: sealed }, { $set: { private_key: by } }),
    }
  const registered = await LtiPlatformModel.find({ 'registration.token': { $type: 'string' } }).lean()
  for (const { _id, registration } of registered)
    yield {
      sealed: registration?.token,
      purpose: REGISTRATION_PURPOSE,
      replace: (by: string) =>
        LtiPlatformModel.updateOne(
          { _id, 'registration.token': registration?.token },
          { $set: { 'registration.token': by } },
        ),
    }
}

/** May be repeated. */
export async function rotateSecrets(secretKey: string, previous: string): Promise<Rotation> {
  const rotation = { rotated: 0, unreadable: 0 }
  for await (const { sealed, purpose, replace } of storedSecrets()) {
    if (typeof sealed !== 'string' || decryptSecret(sealed, secretKey, purpose) !== null) continue
    const secret = decryptSecret(sealed, previous, purpose)
    if (secret === null) rotation.unreadable += 1
    else rotation.rotated += (await replace(encryptSecret(secret, secretKey, purpose))).modifiedCount
  }
  return rotation
}
