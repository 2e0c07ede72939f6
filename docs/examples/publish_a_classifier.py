"""A first hour with a table: a model to publish, a budget that holds, labels for a public table.

``python docs/examples/publish_a_classifier.py`` (needs scikit-learn) takes a few seconds. The coins
are those of the operating system, so that each run publishes another model.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from pac_stability.errors import BudgetExhausted
from pac_stability.estimators import FeatureBounds, PrivateClassifier, label_public
from pac_stability.mechanisms import Ledger


def main() -> None:
    """Publish a model, spend the rest of a budget on a second one, and be refused a third."""
    table = load_breast_cancer()
    names = np.array(["malignant", "benign"])
    train, test, kinds, truth = train_test_split(
        table.data, names[table.target], random_state=0, stratify=table.target
    )
    # Bounds come from knowledge of the instrument; here 1.1 times the largest value stands in.
    grid = FeatureBounds(np.zeros(30), 1.1 * table.data.max(axis=0))
    ledger = Ledger(epsilon=2)

    model = PrivateClassifier(epsilon=1, grid=grid, ledger=ledger, classes=tuple(sorted(names)))
    model.fit(train, kinds)
    print("what may be published:", model.hypothesis_)
    print(model.privacy_, end="")
    print("accuracy on others:", round(model.score(test, truth), 2))
    print(label_public(model, test))

    model.fit(train, kinds)
    print(ledger)
    try:
        model.fit(train, kinds)
    except BudgetExhausted as refused:
        print("refused:", refused)


if __name__ == "__main__":
    main()
