import { TextInput, type TextInputProps } from '@mantine/core'

export const UsernameInput = (props: TextInputProps) => (
  <TextInput label="Username" autoComplete="username" autoCapitalize="none" spellCheck={false} required {...props} />
)
