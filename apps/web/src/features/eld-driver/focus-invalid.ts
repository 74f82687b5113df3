/** Puts the focus on a form's first invalid field, once it is marked as such: on a phone it may be out of sight. */
export function focusInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
