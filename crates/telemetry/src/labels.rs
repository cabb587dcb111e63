//! Labels of metrics: closed sets, so that what a process shows has a bounded size.

/// The labels that tell the series of one metric apart. All values are known when the program is written:
/// nothing that a user, an engine or a peer says can become one.
///
/// [`label!`](crate::label) makes an enum that is one label; a pair of label sets is one too.
pub trait Labels: Copy {
    /// What the labels are called.
    fn names() -> Vec<&'static str>;

    /// What they say here, in the order of the names.
    fn values(self) -> Vec<&'static str>;

    /// Those whose series are shown before anything has happened: a rate needs a zero to begin at.
    fn at_start() -> Vec<Self>;
}

impl<A: Labels, B: Labels> Labels for (A, B) {
    fn names() -> Vec<&'static str> {
        [A::names(), B::names()].concat()
    }

    fn values(self) -> Vec<&'static str> {
        [self.0.values(), self.1.values()].concat()
    }

    fn at_start() -> Vec<(A, B)> {
        A::at_start().into_iter().flat_map(|a| B::at_start().into_iter().map(move |b| (a, b))).collect()
    }
}

/// An enum that is one label of a metric, written as `pub enum Color as "color" { Red = "red", }`.
///
/// Besides [`Labels`] it has `ALL`, its values in order, and `named`, which finds one by what it says.
#[macro_export]
macro_rules! label {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident as $label:literal {
            $($(#[$doc:meta])* $variant:ident = $value:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// Every value, in order.
            $vis const ALL: &'static [$name] = &[$($name::$variant),+];

            /// What it says in a metric.
            $vis const fn text(self) -> &'static str {
                match self {
                    $($name::$variant => $value,)+
                }
            }

            /// The value that says `text`.
            #[allow(dead_code, reason = "not every label is looked for by what it says")]
            $vis fn named(text: &str) -> ::std::option::Option<$name> {
                $name::ALL.iter().copied().find(|it| it.text() == text)
            }
        }

        impl $crate::Labels for $name {
            fn names() -> ::std::vec::Vec<&'static str> {
                ::std::vec![$label]
            }

            fn values(self) -> ::std::vec::Vec<&'static str> {
                ::std::vec![self.text()]
            }

            fn at_start() -> ::std::vec::Vec<$name> {
                $name::ALL.to_vec()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Labels;

    label! {
        /// A side.
        enum Side as "side" {
            /// One.
            Left = "left",
            /// The other.
            Right = "right",
        }
    }

    label! {
        /// An end.
        enum Tip as "tip" {
            /// Up.
            Top = "top",
            /// Down.
            Bottom = "bottom",
        }
    }

    #[test]
    fn a_label_says_what_it_is_called() {
        assert_eq!(Side::ALL.iter().map(|it| it.text()).collect::<Vec<_>>(), ["left", "right"]);
        assert_eq!(Side::named("right"), Some(Side::Right));
        assert_eq!((Side::named("wrong"), Tip::named("top")), (None, Some(Tip::Top)));
    }

    #[test]
    fn a_pair_has_every_combination() {
        assert_eq!(<(Side, Tip)>::names(), ["side", "tip"]);
        let all: Vec<_> = <(Side, Tip)>::at_start().into_iter().map(Labels::values).collect();
        assert_eq!(all, [["left", "top"], ["left", "bottom"], ["right", "top"], ["right", "bottom"]]);
    }
}
