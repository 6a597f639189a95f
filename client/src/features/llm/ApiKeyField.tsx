import { Button, TextInput } from '@mantine/core'
import { PasswordField } from '../../components/display/PasswordField.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import classes from './Llm.module.css'
import type { LlmFieldsProps } from './LlmSettingsFields.tsx'

export const SET_BY_ENVIRONMENT = 'Set by the server’s environment.'

/** What the provider knows its customer by. A stored one is never shown; one can replace it, or take it away. */
export function ApiKeyField({ texts, set, errors, fixed, kept }: LlmFieldsProps) {
  const ends = kept.key_ends ? `ending in ${kept.key_ends} ` : ''
  if (fixed.includes('api_key')) {
    const value = kept.has_key ? `A key ${ends}is set` : 'No key is set'
    return <TextInput label="Key" description={SET_BY_ENVIRONMENT} value={value} readOnly />
  }
  const stored = kept.has_key && !texts.removeKey
  return (
    <>
      {kept.key_unreadable && (
        <Notice tone="warn">The stored key cannot be decrypted because SECRET_KEY has changed. Enter it again.</Notice>
      )}
      <div className={classes.key}>
        <PasswordField
          label="Key"
          description={
            stored
              ? `A key ${ends}is stored. Enter another to replace it.`
              : 'Stored encrypted and never shown again. A local model may not need one.'
          }
          value={texts.api_key}
          error={errors.api_key}
          autoComplete="new-password"
          onChange={(event) => set({ api_key: event.currentTarget.value, removeKey: false })}
        />
        {stored && texts.provider === 'openai-compatible' && texts.api_key === '' && (
          <Button variant="subtle" onClick={() => set({ removeKey: true })}>
            Remove key
          </Button>
        )}
      </div>
    </>
  )
}
