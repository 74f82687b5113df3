import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { EDIT_PARAMETER, type RuleEditor } from '../../paths.ts';

/**
 * The word or channel whose fields are open when a rule is opened by a link. They open once, not each time someone
 * comes back to the rule.
 */
export function useEditorOfAddress(): RuleEditor | null {
  const [parameters, setParameters] = useSearchParams();
  const editor = parameters.get(EDIT_PARAMETER) as RuleEditor | null;
  useEffect(() => {
    if (editor === null) return;
    setParameters(
      before => {
        before.delete(EDIT_PARAMETER);
        return before;
      },
      { replace: true },
    );
  }, [editor, setParameters]);
  return editor;
}
