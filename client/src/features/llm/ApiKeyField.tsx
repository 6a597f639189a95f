import { Button, TextInput } from '@mantine/core'
import { PasswordField } from '../../components/display/PasswordField.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import classes from './Llm.module.css'
import type { LlmFieldsProps } from './llm-settings-form.ts'

export const SET_BY_ENVIRONMENT = 'Set by the server’s environment.'

/** What the provider knows its customer by. A stored one is never shown; one can replace it, or take it away. */
export function ApiKeyField({ values, set, errors, fixedFields, storedKey }: LlmFieldsProps) {
  const ends = storedKey.key_ends ? `ending in ${storedKey.key_ends} ` : ''
  if (fixedFields.includes('api_key')) {
    const value = storedKey.has_key ? `A key ${ends}is set` : 'No key is set'
    return <TextInput label="Key" description={SET_BY_ENVIRONMENT} value={value} readOnly />
  }
  const stored = storedKey.has_key && !values.removeKey
  return (
    <>
      {storedKey.key_unreadable && (
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
          data-path="api_key"
          value={values.api_key}
          error={errors.api_key}
          autoComplete="new-password"
          onChange={(event) => set({ api_key: event.currentTarget.value, removeKey: false })}
        />
        {stored && values.provider === 'openai-compatible' && values.api_key === '' && (
          <Button variant="subtle" onClick={() => set({ removeKey: true })}>
            Remove key
          </Button>
        )}
      </div>
    </>
  )
}
