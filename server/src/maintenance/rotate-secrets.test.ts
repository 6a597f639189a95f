import { expect, it } from 'vitest'
import { createSettingsStore } from '../features/admin/settings/settings-store.ts'
import { KEY_PURPOSE, resolveSystemLlm } from '../features/llm/resolve-llm.ts'
import { createPlatformKey, getPrivateKey } from '../features/lti/platforms/platform-keys.ts'
import { sealRegistration, unsealRegistrationToken } from '../features/lti/platforms/registration/send-registration.ts'
import { encryptSecret } from '../lib/security/secret-encryption.ts'
import { LlmSettingsModel } from '../records/llm/llm-settings.model.ts'
import { LtiPlatformModel } from '../records/lti/platform.model.ts'
import { useServer } from '../testing/server.ts'
import { rotateSecrets } from './rotate-secrets.ts'

const server = useServer()
const [before, after] = ['the key of last year, of thirty-two', 'the key of this year, of thirty-two']

it('encrypts every stored secret with the new key, once, and says what neither key opens', async () => {
  const { config } = server.running.services
  const settingsOf = (secretKey: string) => createSettingsStore({ ...config, secretKey })
  await settingsOf(before).change({ smtp_url: 'smtp://mail.school.example' })
  await LlmSettingsModel.create({ _id: 'system', key_sealed: encryptSecret('sk-secret', before, KEY_PURPOSE) })
  await LlmSettingsModel.create({ _id: 'course/7', key_sealed: encryptSecret('x', 'an older key', KEY_PURPOSE) })
  const kid = await createPlatformKey(1, before, new Date())
  const registration = sealRegistration(
    { url: 'https://lms.example/register/1', messages: null, scopes: [] },
    'a registration token',
    before,
  )
  await LtiPlatformModel.collection.insertOne({ _id: 1 as never, registration })

  const smtp = async (secretKey: string) => (await settingsOf(secretKey).resolved()).smtpUnreadable
  expect(await smtp(after)).toBe(true)
  expect(await rotateSecrets(after, before)).toEqual({ rotated: 4, unreadable: 1 })

  expect(await smtp(after)).toBe(false)
  expect(await resolveSystemLlm({ llm: config.llm, secretKey: after })).toMatchObject({ key: 'sk-secret' })
  expect(await getPrivateKey(kid, after)).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  expect(await getPrivateKey(kid, before)).toBeNull()
  const platform = await LtiPlatformModel.findById(1).lean()
  if (!platform?.registration) throw new Error('the registration is gone')
  expect(unsealRegistrationToken(platform.registration, after)).toBe('a registration token')
  expect(await rotateSecrets(after, before)).toEqual({ rotated: 0, unreadable: 1 })
})
