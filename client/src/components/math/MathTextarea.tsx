import { Textarea, type TextareaProps } from '@mantine/core'
import { MathPreview } from './MathText.tsx'

export function MathTextarea({ value = '', ...props }: Omit<TextareaProps, 'value'> & { value?: string }) {
  return (
    <div>
      <Textarea value={value} {...props} />
      <MathPreview text={value} />
    </div>
  )
}
