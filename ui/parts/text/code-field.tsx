import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { linter, lintKeymap } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./code-field.module.css";

interface CodeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: ((text: string) => void) | undefined;
  readonly takesAnyText?: boolean;
  readonly minHeight?: number;
  readonly maxHeight?: number;
}

const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: "light-dark(#1d41bd, #93b4fd)" },
  { tag: tags.string, color: "light-dark(#1a7340, #6fd195)" },
  { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#8a4b00, #f0b849)" },
  { tag: tags.punctuation, color: "var(--mantine-color-dimmed)" },
]);

const EXTENSIONS = [
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  EditorView.lineWrapping,
  json(),
  syntaxHighlighting(COLORS),
  // Tab leaves the field, as everywhere, for keyboard users.
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
];

const parseFaults = jsonParseLinter();

/** An empty text has no fault. A text of another format has none if any text is accepted. */
const isNoFault = (text: Text, takesAnyText: boolean) =>
  text.length === 0 || (takesAnyText && !/^\s*[{[]/.test(text.sliceString(0, 1_000)));

/** Editor component for JSON. */
export function CodeField(props: CodeFieldProps): ReactNode {
  const { label, value, onChange, takesAnyText = false, minHeight = 160, maxHeight = 480 } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const onChangeRef = useRef(onChange);
  onChangeRef.current = onChange;
  const isReadOnly = onChange === undefined;
  const first = useRef(value);

  useEffect(() => {
    if (!box.current) return;
    const editor = new EditorView({
      parent: box.current,
      doc: first.current,
      extensions: [
        EXTENSIONS,
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        linter((editor) => (isNoFault(editor.state.doc, takesAnyText) ? [] : parseFaults(editor))),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChangeRef.current?.(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => {
      first.current = editor.state.doc.toString();
      editor.destroy();
    };
  }, [label, isReadOnly, takesAnyText]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return (
    <div
      ref={box}
      className={styles.field}
      style={{ "--least": `${minHeight}px`, "--most": `${maxHeight}px` } as never}
    />
  );
}
