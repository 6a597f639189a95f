import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ContractDraft } from '../../lib/forms/useContractDraft.ts'
import { CancelButton } from '../display/buttons.tsx'
import { UnsavedChanges } from './ConfirmModal.tsx'
import classes from './DraftFooter.module.css'
import { ErrorNotice, Notice } from './Notice.tsx'

interface Props<V extends object, B> {
  form: ContractDraft<V, B>
  fallback: string
  unsaved: string
  /** Nothing is stored yet, so it may be saved unchanged. */
  isNew?: boolean
  cancel?: () => void
  children?: ReactNode
}

export function DraftFooter<V extends object, B>({ form, fallback, unsaved, isNew, cancel, children }: Props<V, B>) {
  const changed = form.changed.length > 0
  return (
    <div className={classes.root}>
      <ErrorNotice error={form.failure} fallback={fallback} />
      {Object.keys(form.errors).length > 0 && (
        <Notice tone="bad">Nothing was saved. Please correct the marked fields.</Notice>
      )}
      <div className="centered-row">
        <Button type="submit" size="sm" loading={form.submitting} disabled={!changed && !isNew}>
          Save Changes
        </Button>
        <CancelButton size="sm" disabled={(!changed && !isNew) || form.submitting} onClick={cancel ?? form.reset} />
        {children}
        <span role="status" className="dim">
          {changed && 'You have unsaved changes'}
        </span>
      </div>
      <UnsavedChanges when={changed}>{unsaved}</UnsavedChanges>
    </div>
  )
}
